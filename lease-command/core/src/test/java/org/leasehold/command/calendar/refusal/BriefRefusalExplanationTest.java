package org.leasehold.command.calendar.refusal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.calendar.stored.SampleRequests.having;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;

import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.claim.PostgresClaims;
import org.leasehold.command.calendar.index.CalendarMemory;
import org.leasehold.command.calendar.index.ClaimIndex;
import org.leasehold.command.calendar.stored.CalendarFixture;
import org.leasehold.command.calendar.stored.PostgresCalendarFixture;
import org.leasehold.command.calendar.stored.SampleRequests;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A refusal with more claims in its windows than are examined is the same, except for the scarcest
 * part of the window.
 */
class BriefRefusalExplanationTest {

    private final PostgresCalendarFixture database = new PostgresCalendarFixture();
    private final Calendar exact = database.calendar();
    private final Claims claims = new PostgresClaims(database.jdbc, Duration.ZERO);
    private final PendingStartSearches nextStarts =
            new PendingStartSearches(claims, CalendarMemory.alwaysBehind(new ClaimIndex()));

    /** A calendar that examines no claims to explain a refusal. */
    private final Calendar brief =
            database.calendar(
                    claims,
                    new RefusalConfirmation(
                            claims, CalendarMemory.alwaysBehind(new ClaimIndex()), nextStarts, 0));

    private void compare(Hold hold) {
        Grant.HoldRefused inFull = (Grant.HoldRefused) database.settle(exact, hold);
        Grant.HoldRefused inBrief =
                (Grant.HoldRefused)
                        CalendarFixture.answer(database.decide(brief, hold), nextStarts);
        assertThat(inBrief.asOf()).isEqualTo(inFull.asOf());
        assertThat(inBrief.shortages())
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("part", "freeInPart")
                .isEqualTo(inFull.shortages());
        assertThat(inBrief.shortages())
                .allSatisfy(
                        shortage -> {
                            assertThat(shortage.part())
                                    .isEqualTo(hold.wanted().getFirst().period());
                            assertThat(shortage.freeInPart()).isEqualTo(shortage.free());
                        });
        assertThat(inFull.shortages())
                .extracting(Shortage::part)
                .doesNotContain(hold.wanted().getFirst().period());
    }

    private SampleRequests.SampleLease held(int from, int to, int count) {
        SampleRequests.SampleLease held = lease(hours(from, to), hosts(count, count));
        assertThat(database.settle(exact, held.hold())).isInstanceOf(Grant.Held.class);
        return held;
    }

    @Test
    void a_brief_explanation_counts_free_resources_like_a_full_one() {
        database.withHosts(3);
        held(1, 2, 2);
        database.happen();
        compare(lease(hours(0, 4), hosts(2, 3)).hold());
    }

    @Test
    void each_reservation_of_a_lease_is_explained_separately() {
        database.enrol(1, Map.of("gpu", "yes"));
        database.enrol(2, Map.of("gpu", "no"));
        database.enrol(3, Map.of("gpu", "no"));
        held(1, 2, 1);
        compare(lease(hours(0, 4), hosts(1, 1, having("gpu", "yes")), hosts(3, 3)).hold());
    }

    @Test
    void an_unavailable_named_host_leaves_no_resource_free() {
        database.withHosts(3);
        held(1, 2, 1);
        compare(lease(hours(0, 4), hosts(2, "host-1")).hold());
        Grant.HoldRefused unknown =
                (Grant.HoldRefused)
                        database.settle(brief, lease(hours(0, 4), hosts(1, "host-9")).hold());
        assertThat(unknown.shortages()).extracting(Shortage::free).containsExactly(0);
    }

    @Test
    void a_refused_change_of_a_running_lease_is_explained_as_in_full() {
        database.withHosts(1);
        SampleRequests.SampleLease running = held(0, 1, 1);
        held(2, 3, 1);
        compare(running.change(hours(0, 4), hosts(1, 1), List.of(1L), true));
    }

    @Test
    void a_free_resource_is_granted_despite_the_explanation_limit() {
        database.withHosts(2);
        held(0, 4, 1);
        assertThat(database.settle(brief, lease(hours(0, 4), hosts(1, 1)).hold()))
                .isInstanceOf(Grant.Held.class);
    }
}
