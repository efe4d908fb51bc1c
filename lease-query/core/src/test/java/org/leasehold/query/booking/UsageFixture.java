package org.leasehold.query.booking;

import static org.leasehold.query.booking.BookingEventLog.minute;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.capacity.projection.CapacityProjectionFixture;
import org.leasehold.readmodel.calendar.BookingCalendar.Filter;
import org.leasehold.readmodel.usage.Usages;
import org.leasehold.readmodel.usage.Usages.ListUsage;
import org.leasehold.readmodel.usage.Usages.Usage;
import org.leasehold.readmodel.usage.Usages.Use;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** The usage of leases in an event log, which is empty before each test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class UsageFixture {

    static final Filter ANY = new Filter(null, null, null, null);
    static final Filter HOSTS = new Filter(null, null, null, ResourceKind.PHYSICAL_HOST);
    static final List<List<String>> PAIRS =
            List.of(
                    List.of(Usages.BY_PROJECT, "gpu"),
                    List.of("gpu", Usages.BY_ZONE),
                    List.of(Usages.BY_RESOURCE, Usages.BY_LEASE),
                    List.of("gpu", "vcpus"));
    static final Instant FROM = minute(-60);
    static final Instant TO = minute(2_000);

    final BookingEventLog journal = new BookingEventLog();
    final Usages usages = new PostgresUsages(journal.database.client());

    @AfterAll
    void close() {
        journal.close();
    }

    @BeforeEach
    void empty() {
        journal.empty();
        for (int host = 1; host <= RandomLeases.HOSTS; host++) {
            journal.enrol(host, "physical:host");
        }
    }

    void follow() {
        journal.follow();
        CapacityProjectionFixture.follow(journal);
    }

    void live(SplittableRandom random) {
        SplittableRandom others = random.split();
        new RandomLeases(journal, random, this::follow)
                .with(
                        minute -> {
                            if (others.nextInt(4) == 0) {
                                journal.happen(minute, change(others));
                            }
                            for (int i = 0; i < 3; i++) {
                                see(minute, others);
                            }
                        })
                .live(120);
    }

    /** Observes a use, sometimes by a clock that was set back. */
    private void see(long minute, SplittableRandom random) {
        journal.see(
                random.nextInt(8) == 0 ? minute - random.nextInt(20) : minute,
                1 + random.nextInt(RandomLeases.LEASES),
                1 + random.nextInt(2),
                1 + random.nextInt(RandomLeases.HOSTS),
                random.nextInt(3),
                random.nextInt(9));
    }

    private static ResourceChanged change(SplittableRandom random) {
        ResourceId resource = new ResourceId(1L + random.nextInt(RandomLeases.HOSTS));
        return random.nextBoolean()
                ? new ResourceChanged(resource, Map.of("gpu", "A100"), Set.of())
                : new ResourceChanged(resource, Map.of(), Set.of("gpu"));
    }

    static List<@Nullable String> bys() {
        return Arrays.asList(
                null,
                Usages.BY_LEASE,
                Usages.BY_PROJECT,
                Usages.BY_RESOURCE,
                Usages.BY_ZONE,
                "gpu");
    }

    static ListUsage of(Filter filter) {
        return question(filter, null, FROM, TO, TO, null);
    }

    static ListUsage question(
            Filter filter,
            @Nullable String by,
            Instant from,
            Instant to,
            Instant now,
            @Nullable Long asOf) {
        return new ListUsage(
                filter,
                by == null ? List.of() : List.of(by),
                Requirement.none(),
                from,
                to,
                now,
                asOf,
                null,
                1000);
    }

    static ListUsage split(List<String> by, Requirement requirement) {
        return new ListUsage(HOSTS, by, requirement, FROM, TO, TO, null, null, 1000);
    }

    List<String> usageLinesBy(@Nullable String by) {
        return usageLines(question(ANY, by, FROM, TO, TO, null));
    }

    List<String> usageLines(ListUsage question) {
        return usages.page(question).items().stream()
                .map(
                        line ->
                                "%s %s %s %s %s"
                                        .formatted(
                                                line.value(),
                                                line.kind(),
                                                plain(line.reserved()),
                                                plain(line.active()),
                                                plain(line.lost())))
                .toList();
    }

    static String plain(BigDecimal seconds) {
        return seconds.stripTrailingZeros().toPlainString();
    }

    Map<String, Usage> lines(ListUsage question) {
        Map<String, Usage> lines = new TreeMap<>();
        for (Usage line : usages.page(question).items()) {
            lines.merge(
                    String.valueOf(line.value()),
                    exact(line),
                    (_, _) -> {
                        throw new AssertionError("twice: " + line);
                    });
        }
        return lines;
    }

    static Usage exact(Usage line) {
        return new Usage(
                line.value(),
                null,
                line.kind(),
                line.reserved().setScale(6),
                line.active().setScale(6),
                exact(line.use()));
    }

    private static Use exact(Use use) {
        return new Use(
                use.observed().setScale(6),
                use.idle().setScale(6),
                use.servers().setScale(6),
                use.vcpus().setScale(6));
    }

    /** Returns the use in the only line. */
    Use use(ListUsage question) {
        return exact(usages.page(question).items().getFirst().use());
    }
}
