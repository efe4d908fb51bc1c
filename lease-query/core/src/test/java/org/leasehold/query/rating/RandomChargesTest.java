package org.leasehold.query.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.account.LeaseScenario.LEASE;
import static org.leasehold.query.account.LeaseScenario.R;
import static org.leasehold.query.account.LeaseScenario.minute;
import static org.leasehold.query.account.LeaseScenario.share;
import static org.leasehold.query.account.LeaseScenario.window;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.query.account.AccountEntry;
import org.leasehold.query.account.LeaseScenario;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Charge.What;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** A test with random leases that the costs of a lease follow its account. */
class RandomChargesTest {

    static final int LIVES = 500;
    static final long END = 10_000;

    static final PricePlans ONE_A_SECOND =
            PricePlans.of(
                    """
                    {"plans": [{"name": "one", "from": "2000-01-01T00:00:00Z", "currency": "EUR",
                        "rates": [{"kind": "physical:host", "price": 3600}]}]}
                    """);

    static LeaseScenario life(SplittableRandom random) {
        LeaseScenario life = new LeaseScenario().at(0, LeaseScenario.requested(window(0, 1)));
        List<Long> hosts = grant(life, random, 0);
        long now = 0;
        int count = random.nextInt(3, 25);
        for (int i = 0; i < count; i++) {
            now += random.nextInt(200);
            switch (random.nextInt(10)) {
                case 0 -> hosts = grant(life, random, now);
                case 1, 2 -> life.at(now, LeaseScenario.starting(R));
                case 3, 4 -> life.at(now, new ReservationActivated(LEASE, R));
                case 5 -> life.at(now, new ReservationAdjusted(LEASE, R, List.of()));
                case 6 ->
                        life.at(
                                now,
                                new ReservationFailed(
                                        LEASE,
                                        R,
                                        Action.START,
                                        new Fault(Fault.Kind.PERMANENT, "by chance")));
                case 7 ->
                        life.at(now, new ResourceFailed(LEASE, R, any(hosts, random), "by chance"));
                case 8 -> life.at(now, new ResourceRecovered(LEASE, R, any(hosts, random)));
                default -> hosts = replace(life, random, now, hosts);
            }
        }
        if (random.nextBoolean()) {
            life.at(now + random.nextInt(100), LeaseScenario.ending(EndCause.REQUESTED, R));
        }
        return life;
    }

    private static List<Long> grant(LeaseScenario life, SplittableRandom random, long now) {
        List<Long> hosts = new ArrayList<>();
        List<Allocation> allocations = new ArrayList<>();
        for (long host = 1; host <= random.nextInt(1, 4); host++) {
            hosts.add(host);
            allocations.add(share(host, random.nextInt(1, 5)));
        }
        // Sometimes through the end of a month, which is in 43 000 minutes.
        long start = now + random.nextInt(60);
        long end = start + 1 + random.nextInt(random.nextInt(5) == 0 ? 90_000 : 600);
        life.at(
                now,
                LeaseScenario.granted(window(start, end), allocations.toArray(Allocation[]::new)));
        return hosts;
    }

    private static ResourceId any(List<Long> hosts, SplittableRandom random) {
        return new ResourceId(hosts.get(random.nextInt(hosts.size())));
    }

    private static List<Long> replace(
            LeaseScenario life, SplittableRandom random, long now, List<Long> hosts) {
        long by = 100 + now;
        if (hosts.contains(by)) {
            return hosts;
        }
        List<Long> changed = new ArrayList<>(hosts);
        long old = changed.removeFirst();
        changed.add(by);
        Allocation replacement = share(by, random.nextInt(1, 5));
        life.at(now, new ResourceReplaced(LEASE, R, new ResourceId(old), replacement, "by chance"));
        return changed;
    }

    /** Returns random plans with every option. */
    static PricePlans plans(SplittableRandom random) {
        List<String> plans = new ArrayList<>();
        Instant from = minute(-60);
        for (int i = 0; i <= random.nextInt(3); i++) {
            plans.add(
                    """
                    {"name": "plan %s", "from": "%s", "currency": "EUR", "rates": [
                        {"kind": "physical:host", "price": "%s", "credit_percent": "%s",
                         "tiers": [{"from_hours": 3, "price": "%s"}],
                         "premiums": [{"slots": 2, "percent": "%s"}, {"slots": 6, "percent": 33}],
                         "fee": "%s", "reservation_fee": "%s"}]}
                    """
                            .formatted(
                                    i,
                                    from,
                                    decimal(random),
                                    random.nextInt(101),
                                    decimal(random),
                                    decimal(random),
                                    decimal(random),
                                    decimal(random)));
            from = from.plusSeconds(1 + random.nextInt(100_000));
        }
        return PricePlans.of("{\"plans\": [" + String.join(",", plans) + "]}");
    }

    private static BigDecimal decimal(SplittableRandom random) {
        return new BigDecimal(random.nextInt(100_000)).movePointLeft(random.nextInt(6));
    }

    /** Returns charges as for a window: later events are not known. */
    static List<Charge> charges(LeaseScenario life, PricePlans plans, Instant from, Instant to) {
        return Rating.of(
                ChargeableLease.of(life.recorded(), to),
                _ -> ResourceKind.PHYSICAL_HOST,
                plans,
                from,
                to);
    }

    private static BigDecimal sum(Stream<Charge> charges) {
        return charges.map(charge -> charge.amount().amount())
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static BigDecimal exactly(List<Charge> charges) {
        return charges.stream()
                .map(Charge::unroundedAmount)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    static long seconds(LeaseScenario life, AccountEntry.What... what) {
        return ChargeableLease.of(life.recorded(), minute(END)).account().stream()
                .filter(entry -> List.of(what).contains(entry.what()))
                .map(AccountEntry::time)
                .reduce(Duration.ZERO, Duration::plus)
                .toSeconds();
    }

    @Test
    void usage_equals_reserved_seconds_and_credit_equals_lost_seconds() {
        long lost = 0;
        for (int seed = 0; seed < LIVES; seed++) {
            LeaseScenario life = life(new SplittableRandom(seed));
            List<Charge> charges = charges(life, ONE_A_SECOND, Instant.EPOCH, minute(END));
            assertThat(sum(charges.stream().filter(charge -> charge.what() != What.CREDIT)))
                    .as("seed " + seed)
                    .isEqualByComparingTo(
                            BigDecimal.valueOf(
                                    seconds(
                                            life,
                                            AccountEntry.What.ACTIVE,
                                            AccountEntry.What.LOST)));
            assertThat(sum(charges.stream().filter(charge -> charge.what() == What.CREDIT)))
                    .as("seed " + seed)
                    .isEqualByComparingTo(
                            BigDecimal.valueOf(-seconds(life, AccountEntry.What.LOST)));
            lost += seconds(life, AccountEntry.What.LOST);
        }
        assertThat(lost).as("something was lost at all").isPositive();
    }

    @Test
    void two_adjacent_windows_cost_the_same_as_one_before_rounding() {
        for (int seed = 0; seed < LIVES; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            LeaseScenario life = life(random);
            PricePlans plans = plans(random);
            Instant cut = minute(random.nextLong(END)).plusNanos(1000L * random.nextInt(1_000_000));
            List<Charge> parts = new ArrayList<>(charges(life, plans, Instant.EPOCH, cut));
            parts.addAll(charges(life, plans, cut, minute(END)));
            assertThat(exactly(parts))
                    .as("seed " + seed)
                    .isEqualByComparingTo(
                            exactly(charges(life, plans, Instant.EPOCH, minute(END))));
        }
    }

    @Test
    void the_total_cost_of_a_lease_is_never_negative() {
        int credits = 0;
        for (int seed = 0; seed < LIVES; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            LeaseScenario life = life(random);
            List<Charge> charges = charges(life, plans(random), Instant.EPOCH, minute(END));
            assertThat(sum(charges.stream())).as("seed " + seed).isNotNegative();
            credits += (int) charges.stream().filter(c -> c.what() == What.CREDIT).count();
        }
        assertThat(credits).isPositive();
    }

    @Test
    void a_month_has_the_same_charges_in_a_longer_window() {
        Instant february = Instant.parse("2030-02-01T00:00:00Z");
        Instant march = Instant.parse("2030-03-01T00:00:00Z");
        Instant april = Instant.parse("2030-04-01T00:00:00Z");
        int lines = 0;
        for (int seed = 0; seed < LIVES; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            LeaseScenario life = life(random);
            PricePlans plans = plans(random);
            List<Charge> all = charges(life, plans, Instant.EPOCH, april);
            List<Charge> month = charges(life, plans, february, march);
            assertThat(
                            all.stream()
                                    .filter(charge -> !charge.from().isBefore(february))
                                    .filter(charge -> charge.from().isBefore(march))
                                    .toList())
                    .as("seed " + seed)
                    .isEqualTo(month);
            lines += month.size();
        }
        assertThat(lines).isPositive();
    }
}
