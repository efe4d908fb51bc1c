package org.leasehold.command.calendar.refusal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.calendar.stored.SampleRequests.having;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;
import static org.leasehold.command.calendar.stored.SampleRequests.slots;

import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.claim.PostgresClaims;
import org.leasehold.command.calendar.index.CalendarMemory;
import org.leasehold.command.calendar.index.ClaimIndex;
import org.leasehold.command.calendar.stored.ObservedClaims;
import org.leasehold.command.calendar.stored.PostgresCalendarFixture;
import org.leasehold.command.calendar.stored.SampleRequests;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeasePeriod;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;

/** A refusal is decided by its own windows and resources; the next start is searched afterwards. */
class PendingStartSearchesTest {

    private static final Set<String> READS =
            Set.of("head", "readSnapshot", "survey", "findTouching");

    private final PostgresCalendarFixture database = new PostgresCalendarFixture();
    private final List<Look> surveys = new ArrayList<>();
    private final Claims claims = recorded(new PostgresClaims(database.jdbc, Duration.ZERO));

    private Reads reads = new Reads(0, 0);

    /** The statements that read claims, and the claims that their surveys returned. */
    private record Reads(int statements, int claims) {

        Reads plus(Object answer) {
            return new Reads(
                    statements + 1,
                    claims
                            + switch (answer) {
                                case Claims.Survey survey -> survey.claims().size();
                                case Optional<?> found
                                        when found.orElse(null) instanceof Claims.Survey survey ->
                                        survey.claims().size();
                                default -> 0;
                            });
        }
    }

    /** A survey of the claims. */
    private record Look(LeasePeriod span, Set<ResourceId> resources, boolean deciding) {}

    private Claims recorded(Claims real) {
        return ObservedClaims.of(
                real,
                (method, arguments, answer) -> {
                    if (method.equals("survey")) {
                        surveys.add(look(arguments));
                    }
                    if (READS.contains(method)) {
                        reads = reads.plus(answer);
                    }
                });
    }

    private static Look look(List<?> arguments) {
        Set<ResourceId> resources = new HashSet<>();
        ((Collection<?>) arguments.get(1)).forEach(id -> resources.add((ResourceId) id));
        return new Look(
                (LeasePeriod) arguments.getFirst(),
                resources,
                TransactionSynchronizationManager.isActualTransactionActive());
    }

    private Grant.HoldRefused decide(
            PendingStartSearches nextStarts, SampleRequests.SampleLease lease) {
        return decide(nextStarts, lease.hold());
    }

    private Grant.HoldRefused decide(PendingStartSearches nextStarts, Hold hold) {
        Calendar calendar = database.calendar(claims, nextStarts);
        return (Grant.HoldRefused) database.decide(calendar, hold);
    }

    private static List<Instant> starts(
            PendingStartSearches nextStarts, Grant.HoldRefused refused) {
        return nextStarts.takeLastSearch().apply(refused.shortages()).stream()
                .map(Shortage::nextStart)
                .toList();
    }

    private static Set<ResourceId> ids(long... ids) {
        Set<ResourceId> all = new HashSet<>();
        for (long id : ids) {
            all.add(new ResourceId(id));
        }
        return all;
    }

    private void full(int from, int to, int count) {
        assertThat(
                        database.settle(
                                database.calendar(),
                                lease(hours(from, to), hosts(count, count)).hold()))
                .isInstanceOf(Grant.Held.class);
    }

    @Test
    void a_refusal_reads_only_the_claims_of_the_window_and_the_candidates() {
        database.enrol(1, Map.of("gpu", "yes"));
        database.enrol(2, Map.of());
        database.enrol(3, Map.of("gpu", "yes"));
        full(0, 2, 3);
        PendingStartSearches nextStarts =
                new PendingStartSearches(claims, CalendarMemory.alwaysBehind(new ClaimIndex()));

        Grant.HoldRefused refused =
                decide(nextStarts, lease(hours(1, 2), hosts(1, 1, having("gpu", "yes"))));

        assertThat(surveys).containsExactly(new Look(hours(1, 2), ids(1, 3), true));
        assertThat(refused.shortages()).extracting(Shortage::nextStart).containsOnlyNulls();
        surveys.clear();
        assertThat(starts(nextStarts, refused)).containsExactly(hours(2, 3).start());
        LeasePeriod month =
                new LeasePeriod(hours(1, 2).start(), hours(1, 2).end().plus(StartSearch.HORIZON));
        assertThat(surveys).containsExactly(new Look(month, ids(1, 3), false));
    }

    @Test
    void a_refusal_of_slots_reads_only_claims_of_the_window_and_candidates() {
        database.withHosts(2);
        full(0, 2, 2);
        PendingStartSearches nextStarts =
                new PendingStartSearches(claims, CalendarMemory.alwaysBehind(new ClaimIndex()));

        Grant.HoldRefused refused = decide(nextStarts, lease(hours(1, 2), slots(1, 1)));

        // The first survey finds a changed inventory, because nothing of it is loaded yet.
        assertThat(surveys).extracting(Look::span).containsOnly(hours(1, 2));
        assertThat(surveys.getLast()).isEqualTo(new Look(hours(1, 2), ids(1, 2), true));
        assertThat(starts(nextStarts, refused)).containsExactly(hours(2, 3).start());
    }

    @Test
    void a_current_claim_index_is_searched_instead_of_the_tables() {
        database.withHosts(1);
        full(0, 2, 1);
        PendingStartSearches nextStarts = new PendingStartSearches(claims, remembering());

        Grant.HoldRefused refused = decide(nextStarts, lease(hours(1, 2), hosts(1, 1)));

        surveys.clear();
        assertThat(starts(nextStarts, refused)).containsExactly(hours(2, 3).start());
        assertThat(surveys).isEmpty();
    }

    @Test
    void a_current_claim_index_is_searched_for_slots_as_well() {
        database.withHosts(2);
        full(0, 2, 1);
        database.settle(database.calendar(), lease(hours(0, 3), slots(1, 1)).hold());
        PendingStartSearches nextStarts = new PendingStartSearches(claims, remembering());

        Grant.HoldRefused refused = decide(nextStarts, lease(hours(1, 2), slots(2 * 64, 1)));

        surveys.clear();
        assertThat(starts(nextStarts, refused)).containsExactly(hours(3, 4).start());
        assertThat(surveys).isEmpty();
    }

    @Test
    void more_slots_than_all_hosts_have_get_no_next_start() {
        database.withHosts(2);
        PendingStartSearches nextStarts = new PendingStartSearches(claims, remembering());

        Grant.HoldRefused refused = decide(nextStarts, lease(hours(1, 2), slots(2 * 64 + 1, 1)));

        assertThat(starts(nextStarts, refused)).containsOnlyNulls();
    }

    @Test
    void a_search_for_a_change_ignores_the_claims_of_the_same_lease() {
        database.withHosts(1);
        SampleRequests.SampleLease moved = lease(hours(4, 6), hosts(1, 1));
        database.settle(database.calendar(), moved.hold());
        full(2, 4, 1);
        PendingStartSearches nextStarts = new PendingStartSearches(claims, remembering());

        Grant.HoldRefused refused =
                decide(nextStarts, moved.change(hours(3, 5), hosts(1, 1), List.of(1L), false));

        assertThat(starts(nextStarts, refused)).containsExactly(hours(4, 6).start());
    }

    @Test
    void a_hundred_unmet_demands_read_no_more_claims_than_one() {
        database.withHosts(3);
        full(0, 2, 3);
        full(3, 5, 3);

        Reads one = readsOfRefusal(1);

        assertThat(one.claims()).isPositive();
        assertThat(readsOfRefusal(100)).isEqualTo(one);
    }

    /** Refuses a lease with different demands, and searches its next starts. */
    private Reads readsOfRefusal(int demands) {
        PendingStartSearches nextStarts =
                new PendingStartSearches(claims, CalendarMemory.alwaysBehind(new ClaimIndex()));
        Demand[] unmet =
                IntStream.rangeClosed(1, demands)
                        .mapToObj(count -> hosts(count, count))
                        .toArray(Demand[]::new);
        reads = new Reads(0, 0);
        Grant.HoldRefused refused = decide(nextStarts, lease(hours(1, 2), unmet));
        assertThat(starts(nextStarts, refused)).hasSize(demands).contains(hours(2, 3).start());
        return reads;
    }

    @Test
    void a_search_is_skipped_at_the_concurrency_limit() {
        database.withHosts(1);
        full(0, 2, 1);
        PendingStartSearches nextStarts =
                new PendingStartSearches(
                        claims,
                        CalendarMemory.alwaysBehind(new ClaimIndex()),
                        new Semaphore(0),
                        Duration.ZERO);

        Grant.HoldRefused refused = decide(nextStarts, lease(hours(1, 2), hosts(1, 1)));

        surveys.clear();
        assertThat(nextStarts.takeLastSearch().apply(refused.shortages()))
                .isEqualTo(refused.shortages());
        assertThat(surveys).isEmpty();
    }

    private CalendarMemory remembering() {
        SampleMemory memory = new SampleMemory(new ClaimIndex());
        memory.load(database.jdbc);
        return memory;
    }
}
