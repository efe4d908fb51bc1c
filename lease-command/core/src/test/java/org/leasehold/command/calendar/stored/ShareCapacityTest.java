package org.leasehold.command.calendar.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Demand.Spread;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.CalendarRequest.Shorten;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * No host is promised beyond its cores in any hour, and no refused request could have been granted.
 * The test counts both hour by hour, in another way than the calendar does.
 */
class ShareCapacityTest {

    private static final int HOSTS = 4;
    private static final int CORES = 64;
    private static final int HOURS = 24;
    private static final int REQUESTS = 400;

    private final CalendarFixture world = new InMemoryCalendarFixture().withHosts(HOSTS);
    private final Calendar calendar = world.calendar(Duration.ZERO);
    private final List<SampleRequests.SampleLease> leases = new ArrayList<>();
    private int refused;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 5, 8, 13, 21, 34})
    void no_hour_is_overbooked_and_every_refusal_is_justified(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int number = 0; number < REQUESTS; number++) {
            switch (random.nextInt(4)) {
                case 0, 1 -> ask(period(random), demand(random));
                case 2 -> change(random);
                default -> end(random);
            }
            check();
        }
        assertThat(refused).isBetween(10, REQUESTS - 10);
    }

    private static LeasePeriod period(SplittableRandom random) {
        int start = random.nextInt(HOURS - 1);
        return hours(start, random.nextInt(start + 1, HOURS));
    }

    private static Demand demand(SplittableRandom random) {
        Spread[] spreads = Spread.values();
        return random.nextInt(4) == 0
                ? SampleRequests.hosts(1, 2)
                : new Demand.Shared(
                        ResourceKind.PHYSICAL_HOST,
                        random.nextInt(1, 7),
                        Map.of("VCPU", random.nextLong(1, 40)),
                        Requirement.none(),
                        spreads[random.nextInt(spreads.length)]);
    }

    private void ask(LeasePeriod period, Demand demand) {
        SampleRequests.SampleLease lease = SampleRequests.lease(period, demand);
        if (settle(lease.hold()) instanceof Grant.Held) {
            leases.add(lease);
        } else {
            assertThat(couldBeHeld(lease, demand, period)).as("%s %s", period, demand).isFalse();
            refused++;
        }
    }

    private void change(SplittableRandom random) {
        any(random)
                .ifPresent(
                        lease -> {
                            LeasePeriod period = period(random);
                            Demand demand =
                                    random.nextBoolean()
                                            ? lease.demands().getFirst()
                                            : demand(random);
                            List<Long> current =
                                    world.claims(lease.reservation()).stream()
                                            .map(claim -> claim.resource().value())
                                            .toList();
                            Grant grant = settle(lease.change(period, demand, current, false));
                            if (grant instanceof Grant.HoldRefused) {
                                assertThat(couldBeHeld(lease, demand, period)).isFalse();
                                refused++;
                            }
                        });
    }

    private void end(SplittableRandom random) {
        any(random)
                .ifPresent(
                        lease -> {
                            settle(
                                    new Shorten(
                                            lease.id(),
                                            lease.reservations(),
                                            hours(-1, 0).start()));
                            leases.remove(lease);
                        });
    }

    private Optional<SampleRequests.SampleLease> any(SplittableRandom random) {
        return leases.isEmpty()
                ? Optional.empty()
                : Optional.of(leases.get(random.nextInt(leases.size())));
    }

    private void check() {
        List<Claim> claims =
                leases.stream().flatMap(l -> world.claims(l.reservation()).stream()).toList();
        LongStream.rangeClosed(1, HOSTS)
                .forEach(
                        host ->
                                IntStream.range(0, HOURS)
                                        .forEach(
                                                hour ->
                                                        assertThat(taken(claims, host, hour))
                                                                .as("host %d, hour %d", host, hour)
                                                                .isLessThanOrEqualTo(CORES)));
    }

    /** Returns the claimed cores of a host; a claim on the whole host has all of them. */
    private static long taken(List<Claim> claims, long host, int hour) {
        return claims.stream()
                .filter(claim -> claim.resource().equals(new ResourceId(host)))
                .filter(claim -> claim.during().contains(hours(hour, hour + 1).start()))
                .mapToLong(
                        claim ->
                                claim.share() == null
                                        ? CORES
                                        : claim.share().slots() * claim.share().needs().get("VCPU"))
                .sum();
    }

    private boolean couldBeHeld(
            SampleRequests.SampleLease lease, Demand demand, LeasePeriod period) {
        List<Claim> others =
                leases.stream()
                        .filter(other -> !other.equals(lease))
                        .flatMap(other -> world.claims(other.reservation()).stream())
                        .toList();
        long[] free =
                LongStream.rangeClosed(1, HOSTS)
                        .map(host -> CORES - maxTaken(others, host, period))
                        .toArray();
        return switch (demand) {
            case Demand.Whole whole ->
                    LongStream.of(free).filter(cores -> cores == CORES).count() >= whole.minimum();
            case Demand.Shared shared -> {
                LongStream slots = LongStream.of(free).map(c -> c / shared.needs().get("VCPU"));
                yield switch (shared.spread()) {
                    case ANYWHERE -> slots.sum() >= shared.slots();
                    case TOGETHER -> slots.max().orElseThrow() >= shared.slots();
                    case APART -> slots.filter(count -> count > 0).count() >= shared.slots();
                };
            }
        };
    }

    private static long maxTaken(List<Claim> claims, long host, LeasePeriod period) {
        return IntStream.range(0, HOURS)
                .filter(hour -> period.contains(hours(hour, hour + 1).start()))
                .mapToLong(hour -> taken(claims, host, hour))
                .max()
                .orElseThrow();
    }

    private Grant settle(CalendarRequest<?> request) {
        return world.settle(calendar, request);
    }
}
