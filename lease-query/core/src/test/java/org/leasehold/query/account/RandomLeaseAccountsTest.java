package org.leasehold.query.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.account.LeaseScenario.LEASE;
import static org.leasehold.query.account.LeaseScenario.minute;
import static org.leasehold.query.account.LeaseScenario.window;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Action;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.query.account.AccountEntry.What;
import org.leasehold.query.booking.AllocationPeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * A test of random events, more than any lease would have, by nodes with different clocks, against
 * the same rules written down minute by minute.
 */
class RandomLeaseAccountsTest {

    private static final int LIVES = 2_000;
    private static final int RESERVATIONS = 2;
    private static final int HOSTS = 4;
    private static final int END = 400;

    /** The slots of one reservation on each host in each minute. */
    private static final class Minutes {

        final int[][] promised = new int[HOSTS][END];
        final int[][] given = new int[HOSTS][END];
        final int[][] held = new int[HOSTS][END];

        /** One while the host is down. */
        final int[][] down = new int[HOSTS][END];

        final TreeMap<Integer, Integer> granted = new TreeMap<>();
        boolean everGranted;

        /** Sets the slots from a minute on; a repetition has no effect. */
        void set(int[] slots, int from, int count) {
            if (slots[END - 1] != count) {
                Arrays.fill(slots, from, END, count);
            }
        }

        void end(int at) {
            for (int host = 0; host < HOSTS; host++) {
                Arrays.fill(promised[host], at, END, 0);
                leave(host, at);
            }
        }

        /** Removes a host, which then is not down either. */
        void leave(int host, int at) {
            set(given[host], at, 0);
            set(down[host], at, 0);
        }

        int total(What what, int host, int until) {
            return IntStream.range(0, until)
                    .map(
                            minute -> {
                                int active =
                                        down[host][minute] == 1
                                                ? 0
                                                : Math.min(
                                                        promised[host][minute],
                                                        given[host][minute]);
                                return switch (what) {
                                    case ACTIVE -> active;
                                    case LOST -> promised[host][minute] - active;
                                    case OVERRUN ->
                                            Math.max(
                                                    0, held[host][minute] - promised[host][minute]);
                                };
                            })
                    .sum();
        }
    }

    private final LeaseScenario life = new LeaseScenario();
    private final List<Minutes> minutes = new ArrayList<>();
    private boolean ending;

    @Test
    void an_account_equals_the_sum_of_minutes_and_keeps_the_past() {
        for (int seed = 0; seed < LIVES; seed++) {
            new RandomLeaseAccountsTest().live(new SplittableRandom(seed));
        }
    }

    private void live(SplittableRandom random) {
        for (int i = 0; i < RESERVATIONS; i++) {
            minutes.add(new Minutes());
        }
        int now = 0;
        int count = random.nextInt(5, 30);
        for (int i = 0; i < count; i++) {
            now = Math.min(END - 100, now + random.nextInt(20));
            // Sometimes a node has stalled.
            int at = random.nextInt(8) == 0 ? random.nextInt(now + 1) : now;
            long granted = granted();
            List<AccountEntry> before = LeaseAccounts.of(life.bookings(), minute(at));
            step(random, at);
            // A first grant may have begun elsewhere.
            if (granted == granted()) {
                assertThat(LeaseAccounts.of(life.bookings(), minute(at))).isEqualTo(before);
            }
            check();
        }
    }

    private long granted() {
        return minutes.stream().filter(each -> each.everGranted).count();
    }

    private void step(SplittableRandom random, int at) {
        int number = random.nextInt(RESERVATIONS);
        ReservationId id = new ReservationId(new UUID(2, number));
        Minutes reservation = minutes.get(number);
        if (!reservation.everGranted) {
            grant(random, at, id, reservation);
            return;
        }
        switch (random.nextInt(11)) {
            case 0, 1 -> grant(random, at, id, reservation);
            case 2 -> replace(at, id, reservation);
            case 3 -> {
                life.at(at, LeaseScenario.starting(id));
                reservation.granted.forEach((h, n) -> reservation.set(reservation.held[h], at, n));
            }
            case 4 -> {
                life.at(at, new ReservationActivated(LEASE, id));
                reservation.granted.forEach((h, n) -> reservation.set(reservation.given[h], at, n));
            }
            case 5 -> adjust(random, at, id, reservation);
            case 6 -> fail(random, at, id, reservation);
            case 7 -> release(at, id, reservation);
            case 8, 9 -> goDownOrComeUp(random, at, id, reservation);
            default -> {
                if (random.nextInt(4) == 0) {
                    end(at);
                }
            }
        }
    }

    private void grant(SplittableRandom random, int at, ReservationId id, Minutes reservation) {
        int start = at + random.nextInt(30);
        int end = start + 1 + random.nextInt(60);
        boolean elsewhere = !reservation.everGranted && random.nextInt(4) == 0;
        int from = elsewhere ? start / 2 : reservation.everGranted ? at : start;
        start = Math.min(start, elsewhere ? from : start);
        reservation.everGranted = true;
        reservation.granted.clear();
        reservation.granted.put(random.nextInt(HOSTS), 1 + random.nextInt(3));
        reservation.granted.put(random.nextInt(HOSTS), 1 + random.nextInt(3));
        List<Allocation> allocations = new ArrayList<>();
        for (int host = 0; host < HOSTS; host++) {
            int slots = reservation.granted.getOrDefault(host, 0);
            Arrays.fill(reservation.promised[host], slots == 0 ? at : from, END, 0);
            if (slots == 0) {
                reservation.leave(host, at);
            } else {
                Arrays.fill(reservation.promised[host], Math.max(from, start), end, slots);
                allocations.add(LeaseScenario.share(host + 1, slots));
            }
        }
        life.at(
                at,
                LeaseScenario.granted(
                        id, window(start, end), allocations.toArray(Allocation[]::new)));
    }

    private void replace(int at, ReservationId id, Minutes reservation) {
        int old = reservation.granted.firstKey();
        int slots = reservation.granted.get(old);
        int by = (old + 1) % HOSTS;
        if (reservation.granted.containsKey(by)) {
            return;
        }
        reservation.granted.remove(old);
        reservation.granted.put(by, slots);
        for (int minute = at; minute < END; minute++) {
            reservation.promised[by][minute] = reservation.promised[old][minute] > 0 ? slots : 0;
            reservation.promised[old][minute] = 0;
        }
        reservation.leave(old, at);
        life.at(
                at,
                new ResourceReplaced(
                        LEASE,
                        id,
                        new ResourceId(old + 1),
                        LeaseScenario.share(by + 1, slots),
                        "by chance"));
    }

    private void adjust(SplittableRandom random, int at, ReservationId id, Minutes reservation) {
        int joining = reservation.granted.lastKey();
        if (random.nextBoolean()) {
            reservation.set(reservation.held[joining], at, reservation.granted.get(joining));
            life.at(
                    at,
                    new ReservationAdjusting(
                            LEASE,
                            new Tenure(id, 3),
                            List.of(new ResourceId(joining + 1)),
                            List.of()));
            return;
        }
        List<ResourceId> left = new ArrayList<>();
        for (int host = 0; host < HOSTS; host++) {
            if (!reservation.granted.containsKey(host)) {
                left.add(new ResourceId(host + 1));
                reservation.set(reservation.held[host], at, 0);
            }
        }
        reservation.granted.forEach(
                (host, slots) -> {
                    reservation.set(reservation.held[host], at, slots);
                    reservation.set(reservation.given[host], at, slots);
                });
        life.at(at, new ReservationAdjusted(LEASE, id, left));
    }

    private void fail(SplittableRandom random, int at, ReservationId id, Minutes reservation) {
        List<Action> actions = List.of(Action.values());
        Action action = actions.get(random.nextInt(actions.size()));
        if (action == Action.START) {
            for (int[] given : reservation.given) {
                reservation.set(given, at, 0);
            }
        }
        life.at(
                at,
                new ReservationFailed(
                        LEASE, id, action, new Fault(Fault.Kind.PERMANENT, "by chance")));
    }

    private void goDownOrComeUp(
            SplittableRandom random, int at, ReservationId id, Minutes reservation) {
        int host = reservation.granted.lastKey();
        boolean down = random.nextBoolean();
        reservation.set(reservation.down[host], at, down ? 1 : 0);
        ResourceId resource = new ResourceId(host + 1);
        life.at(
                at,
                down
                        ? new ResourceFailed(LEASE, id, resource, "by chance")
                        : new ResourceRecovered(LEASE, id, resource));
    }

    private void release(int at, ReservationId id, Minutes reservation) {
        if (!ending) {
            reservation.end(at);
        }
        for (int[] held : reservation.held) {
            reservation.set(held, at, 0);
        }
        life.at(at, LeaseScenario.released(id));
    }

    private void end(int at) {
        if (!ending) {
            minutes.forEach(reservation -> reservation.end(at));
        }
        ending = true;
        LeaseEvent event = LeaseScenario.ending(EndCause.REQUESTED);
        life.at(at, event);
    }

    private void check() {
        for (int until : new int[] {END, END / 3}) {
            List<AccountEntry> account = LeaseAccounts.of(life.bookings(), minute(until));
            for (int number = 0; number < RESERVATIONS; number++) {
                ReservationId id = new ReservationId(new UUID(2, number));
                for (int host = 0; host < HOSTS; host++) {
                    for (What what : What.values()) {
                        assertThat(total(account, id, new ResourceId(host + 1), what))
                                .isEqualTo(minutes.get(number).total(what, host, until));
                    }
                }
            }
        }
        List<AllocationPeriod> stretches = life.bookings().periods();
        for (int next = 1; next < stretches.size(); next++) {
            AllocationPeriod one = stretches.get(next - 1);
            AllocationPeriod other = stretches.get(next);
            assertThat(one.starts()).isBefore(one.ends());
            if (one.reservation().equals(other.reservation())
                    && one.resource().equals(other.resource())) {
                assertThat(other.starts()).isAfterOrEqualTo(one.ends());
            }
        }
    }

    private static int total(
            List<AccountEntry> account, ReservationId reservation, ResourceId resource, What what) {
        return account.stream()
                .filter(entry -> entry.what() == what)
                .filter(entry -> entry.reservation().equals(reservation))
                .filter(entry -> entry.resource().equals(resource))
                .mapToInt(entry -> Math.toIntExact(entry.time().toMinutes()))
                .sum();
    }
}
