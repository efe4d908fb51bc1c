package org.leasehold.command.calendar.stored;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.CalendarRequest.GiveUp;
import org.leasehold.command.calendar.CalendarRequest.Granted;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.CalendarRequest.Reduce;
import org.leasehold.command.calendar.CalendarRequest.Replace;
import org.leasehold.command.calendar.CalendarRequest.Shorten;
import org.leasehold.command.calendar.CalendarRequest.TakeUp;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.Grant.Replacement;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The calendar in memory answers every request as the calendar in PostgreSQL does. Otherwise the
 * simulation would test another engine.
 */
class CalendarEquivalenceTest {

    private static final int HOSTS = 6;
    private static final int REQUESTS = 400;
    private static final Duration CLEANING = Duration.ofMinutes(10);

    private SplittableRandom random = new SplittableRandom();
    private RandomDemands demands = new RandomDemands(random);
    private final PostgresCalendarFixture one = new PostgresCalendarFixture();
    private final CalendarFixture other = new InMemoryCalendarFixture();
    private final Calendar ofOne = one.calendar(CLEANING);
    private final Calendar ofOther = other.calendar(CLEANING);
    private final List<Asked> asked = new ArrayList<>();
    private final Map<String, Integer> kinds = new TreeMap<>();

    private int joins;
    private int exchanges;
    private int runningExchanges;
    private int replacements;

    /** A requested reservation of a lease, with its grants so far. */
    private static final class Asked {

        private final ReservationId reservation;
        private final LeaseId id;
        private Demand demand;
        private LeasePeriod period;
        private List<Allocation> allocations = List.of();
        private boolean running;

        Asked(long number, Demand demand, LeasePeriod period) {
            this(new LeaseId(new UUID(2, number)), number, demand, period);
        }

        Asked(LeaseId id, long number, Demand demand, LeasePeriod period) {
            this.id = id;
            this.reservation = new ReservationId(new UUID(3, number));
            this.demand = demand;
            this.period = period;
        }

        void applyReplacements(List<Replacement> replaced) {
            List<Allocation> now = new ArrayList<>(allocations);
            replaced.forEach(
                    r -> now.replaceAll(a -> a.resource().equals(r.replaced()) ? r.by() : a));
            allocations = now;
        }

        Hold hold() {
            return new Hold(id, SampleRequests.PROJECT, List.of(wanted()));
        }

        Wanted wanted() {
            return new Wanted(
                    reservation,
                    demand,
                    period,
                    allocations.stream().map(Allocation::resource).toList(),
                    running);
        }

        TakeUp takeUp() {
            return new TakeUp(
                    id,
                    SampleRequests.PROJECT,
                    List.of(new Granted(reservation, List.of(demand), period, allocations)),
                    false);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {43, 44, 45})
    void both_calendars_give_equal_answers_claims_and_holders(long seed) {
        random = new SplittableRandom(seed);
        demands = new RandomDemands(random);
        for (int id = 1; id <= HOSTS; id++) {
            enrol(id);
        }
        for (int number = 0; number < REQUESTS; number++) {
            act(number);
            assertThat(other.holders()).isEqualTo(one.holders());
        }
        assertThat(kinds)
                .containsKeys(
                        "Held",
                        "HoldRefused",
                        "TakenUp",
                        "Awaited",
                        "Unserviceable",
                        "Reduced",
                        "Replaced");
        assertThat(replacements).isPositive();
        assertThat(joins).isPositive();
        assertThat(exchanges).isPositive();
        assertThat(runningExchanges).isPositive();
        compareClaims();
        assertThat(one.overlooked()).isEmpty();
    }

    private void compareClaims() {
        for (Asked lease : asked) {
            assertThat(other.claims(lease.reservation)).isEqualTo(one.claims(lease.reservation));
        }
    }

    private void act(int number) {
        switch (random.nextInt(13)) {
            case 0, 1, 2 -> ask(number);
            case 3, 4 -> any().ifPresent(this::change);
            case 5, 6 -> any().ifPresent(this::takeUp);
            case 7 -> any().ifPresent(this::end);
            case 8 -> any().filter(a -> a.running).ifPresent(a -> join(a, number));
            case 9 -> any().ifPresent(a -> exchange(a, number));
            case 10 -> any().ifPresent(a -> both(new LetGo(a.reservation, firstResource(a))));
            case 11 -> any().filter(a -> a.running).ifPresent(this::reduce);
            default -> operate();
        }
    }

    private void enrol(int id) {
        Map<String, String> capabilities = id % 2 == 0 ? Map.of("gpu", "yes") : Map.of();
        one.enrol(id, capabilities);
        other.enrol(id, capabilities);
    }

    private void operate() {
        int id = random.nextInt(HOSTS) + 1;
        if (random.nextInt(3) == 0) {
            one.disable(id, "broken");
            other.disable(id, "broken");
            asked.stream().filter(lease -> isPendingOn(lease, id)).forEach(this::replace);
        } else {
            one.enable(id);
            other.enable(id);
        }
        one.happen();
        other.happen();
    }

    private Optional<Asked> any() {
        List<Asked> living = asked.stream().filter(a -> !a.allocations.isEmpty()).toList();
        return living.isEmpty()
                ? Optional.empty()
                : Optional.of(living.get(random.nextInt(living.size())));
    }

    private Demand demand() {
        return demands.demand();
    }

    private void ask(int number) {
        Asked lease = new Asked(number, demand(), demands.period());
        asked.add(lease);
        settle(lease);
    }

    private void change(Asked lease) {
        Demand demand = lease.demand;
        LeasePeriod period = lease.period;
        if (!lease.running || random.nextBoolean()) {
            lease.period =
                    new LeasePeriod(
                            period.start(), period.end().plus(Duration.ofHours(random.nextInt(4))));
        }
        if (random.nextBoolean()) {
            lease.demand = demands.more(demand);
        }
        if (!settle(lease)) {
            lease.demand = demand;
            lease.period = period;
        }
    }

    private void join(Asked lease, int number) {
        Asked joiner = new Asked(lease.id, number, demand(), lease.period);
        joiner.running = true;
        Hold both =
                new Hold(
                        lease.id, SampleRequests.PROJECT, List.of(lease.wanted(), joiner.wanted()));
        if (both(both) instanceof Grant.Held held) {
            lease.allocations = List.copyOf(held.allocations().get(lease.reservation));
            joiner.allocations = List.copyOf(held.allocations().get(joiner.reservation));
            asked.add(joiner);
            joins++;
        }
    }

    private boolean settle(Asked lease) {
        if (both(lease.hold()) instanceof Grant.Held held) {
            lease.allocations = List.copyOf(held.allocations().get(lease.reservation));
            return true;
        }
        return false;
    }

    private void takeUp(Asked lease) {
        if (both(lease.takeUp()) instanceof Grant.TakenUp taken) {
            lease.running = true;
            lease.applyReplacements(taken.replacements());
        }
    }

    private void reduce(Asked lease) {
        if (lease.demand instanceof Demand.Shared shared) {
            Demand.Shared smaller = demands.less(shared, lease.allocations.getFirst().slots());
            Reduce request =
                    new Reduce(
                            lease.id,
                            SampleRequests.PROJECT,
                            lease.reservation,
                            List.of(smaller),
                            lease.period,
                            lease.allocations,
                            Set.of());
            if (both(request) instanceof Grant.Reduced reduced) {
                lease.allocations = reduced.allocations();
                lease.demand = smaller;
            }
        }
    }

    private static boolean isPendingOn(Asked lease, long id) {
        return !lease.running
                && lease.allocations.stream().anyMatch(held -> held.resource().value() == id);
    }

    private void replace(Asked lease) {
        Replace request =
                new Replace(lease.id, SampleRequests.PROJECT, lease.takeUp().reservations());
        if (both(request) instanceof Grant.Replaced replaced) {
            lease.applyReplacements(replaced.replacements());
            replacements += replaced.replacements().size();
        }
    }

    private void end(Asked lease) {
        both(
                random.nextBoolean()
                        ? new Shorten(
                                lease.id,
                                reservationsOf(lease),
                                lease.period.start().plus(Duration.ofHours(1)))
                        : new GiveUp(lease.id, reservationsOf(lease), lease.period.start()));
        both(new LetGo(lease.reservation, Set.of()));
        lease.allocations = List.of();
        lease.running = false;
    }

    /** Replaces a reservation by another one of the same lease, in one request. */
    private void exchange(Asked lease, int number) {
        Asked joiner = new Asked(lease.id, number, demand(), lease.period);
        joiner.running = lease.running;
        Shorten removal =
                new Shorten(
                        lease.id,
                        List.of(lease.reservation),
                        lease.period.start().plus(Duration.ofHours(1)));
        Hold both = new Hold(lease.id, SampleRequests.PROJECT, List.of(joiner.wanted()), removal);
        if (both(both) instanceof Grant.Held held) {
            both(new LetGo(lease.reservation, Set.of()));
            lease.allocations = List.of();
            lease.running = false;
            joiner.allocations = List.copyOf(held.allocations().get(joiner.reservation));
            asked.add(joiner);
            exchanges++;
            runningExchanges += joiner.running ? 1 : 0;
        }
    }

    private List<ReservationId> reservationsOf(Asked lease) {
        return asked.stream()
                .filter(other -> other.id.equals(lease.id))
                .map(other -> other.reservation)
                .toList();
    }

    private Set<ResourceId> firstResource(Asked lease) {
        return Set.of(lease.allocations.getFirst().resource());
    }

    private Grant both(CalendarRequest<?> request) {
        Grant answer = one.settle(ofOne, request);
        kinds.merge(answer.getClass().getSimpleName(), 1, Integer::sum);
        assertThat(comparable(other.settle(ofOther, request)))
                .as("%s", request)
                .isEqualTo(comparable(answer));
        return answer;
    }

    /** Omits the generations, which rise in both calendars, but by different steps. */
    private static Object comparable(Grant grant) {
        return switch (grant) {
            case Grant.Held held ->
                    List.of(held.allocations(), held.cleaning(), reservations(held.tenures()));
            case Grant.TakenUp taken ->
                    List.of(reservations(taken.tenures()), taken.replacements());
            case Grant.Done _,
                    Grant.HoldRefused _,
                    Grant.Awaited _,
                    Grant.Unserviceable _,
                    Grant.Reduced _,
                    Grant.NotReduced _,
                    Grant.Replaced _,
                    Grant.NotFree _ ->
                    grant;
        };
    }

    private static List<ReservationId> reservations(List<Tenure> tenures) {
        return tenures.stream().map(Tenure::reservation).toList();
    }
}
