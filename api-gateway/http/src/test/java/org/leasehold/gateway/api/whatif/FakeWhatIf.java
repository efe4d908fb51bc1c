package org.leasehold.gateway.api.whatif;

import org.leasehold.gateway.api.export.LongResponseLimiter;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.whatif.Comparison;
import org.leasehold.whatif.Comparison.Difference;
import org.leasehold.whatif.Comparison.Figures;
import org.leasehold.whatif.Comparison.Found;
import org.leasehold.whatif.Comparison.Hours;
import org.leasehold.whatif.Comparison.Outcome;
import org.leasehold.whatif.Comparison.Requests;
import org.leasehold.whatif.Comparison.Waiting;
import org.leasehold.whatif.Comparison.Week;
import org.leasehold.whatif.WhatIf;
import org.leasehold.whatif.WhatIfScenario;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Returns one refused request in a hundred that would have been accepted, for all queries. */
public final class FakeWhatIf implements WhatIf {

    static final UUID LEASE = new UUID(7, 7);

    /** The number of a resource that never existed. */
    static final long NOTHING = 404;

    private final List<WhatIfScenario> worlds = new CopyOnWriteArrayList<>();

    /** A lost zone whose replay waits for the test. */
    static final String SLOW = "slow";

    /** A lost zone with too many events for a replay. */
    static final String BUSY = "busy";

    final CountDownLatch begun = new CountDownLatch(LongResponseLimiter.MAX_CONCURRENT);
    final CountDownLatch mayGoOn = new CountDownLatch(1);

    WhatIfScenario lastWorld() {
        return worlds.getLast();
    }

    @Override
    public Comparison compare(WhatIfScenario world) {
        worlds.add(world);
        if (world.more().stream()
                .anyMatch(more -> more.like() != null && more.like().value() == NOTHING)) {
            throw new NoSuchResource(0);
        }
        if (world.lost().stream().anyMatch(lost -> SLOW.equals(lost.zone()))) {
            waitForIt();
        }
        if (world.lost().stream().anyMatch(lost -> BUSY.equals(lost.zone()))) {
            throw new TooMuch(10, "events");
        }
        return new Comparison(
                12,
                10,
                figures(world, new Requests(99, 1, 0), "24.000"),
                figures(world, new Requests(100, 0, 0), "0.000"),
                new Found<>(1, List.of(3L)),
                new Found<>(
                        1,
                        List.of(
                                new Difference(
                                        5,
                                        new LeaseId(LEASE),
                                        world.from(),
                                        Outcome.REFUSED,
                                        Outcome.ACCEPTED))));
    }

    private void waitForIt() {
        begun.countDown();
        try {
            mayGoOn.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Figures figures(WhatIfScenario world, Requests requests, String refused) {
        SortedMap<ResourceKind, Hours> kinds =
                new TreeMap<>(Comparator.comparing(ResourceKind::value));
        kinds.put(
                ResourceKind.PHYSICAL_HOST,
                new Hours(
                        new BigDecimal("100.000"),
                        new BigDecimal("80.000"),
                        new BigDecimal("40.500"),
                        new BigDecimal("0.500"),
                        new BigDecimal(refused),
                        new BigDecimal("0.000")));
        return new Figures(
                requests,
                new Requests(0, 0, 0),
                new Waiting(
                        requests.refused(),
                        0,
                        requests.refused() == 0 ? null : Duration.ofHours(2),
                        requests.refused() == 0 ? null : Duration.ofHours(2)),
                kinds,
                List.of(new Week(world.from(), world.to(), kinds)));
    }
}
