package org.leasehold.command.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.calendar.Wishes.having;
import static org.leasehold.command.calendar.Wishes.hosts;
import static org.leasehold.command.calendar.Wishes.hours;
import static org.leasehold.command.calendar.Wishes.lease;

import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.CalendarRequest.Hold;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A refusal where more claims touch the windows than are looked at says the same, but for the part
 * of the window that is scarcest.
 */
class BriefRefusalTest {

    private final CalendarDatabase database = new CalendarDatabase();
    private final Calendar exact = database.calendar();
    private final Claims claims = new PostgresClaims(database.jdbc, Duration.ZERO);
    private final NextStarts nextStarts = new NextStarts(claims, NextStarts.Memory.NONE);

    /** Not one claim is explained. */
    private final Calendar brief = database.calendar(claims, new Refusing(claims, nextStarts, 0));

    private void compare(Hold hold) {
        Grant.TooFew inFull = (Grant.TooFew) database.settle(exact, hold);
        Grant.TooFew inBrief =
                (Grant.TooFew)
                        CalendarWorld.answer(
                                database.command(
                                        () -> brief.settle(hold, grant -> grant, _ -> true)),
                                nextStarts);
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

    private Wishes.Some held(int from, int to, int count) {
        Wishes.Some held = lease(hours(from, to), hosts(count, count));
        assertThat(database.settle(exact, held.hold())).isInstanceOf(Grant.Held.class);
        return held;
    }

    @Test
    void too_few_are_counted_as_in_full() {
        database.withHosts(3);
        held(1, 2, 2);
        database.happen();
        compare(lease(hours(0, 4), hosts(2, 3)).hold());
    }

    @Test
    void several_reservations_are_explained_one_by_one() {
        database.enrol(1, Map.of("gpu", "yes"));
        database.enrol(2, Map.of("gpu", "no"));
        database.enrol(3, Map.of("gpu", "no"));
        held(1, 2, 1);
        compare(lease(hours(0, 4), hosts(1, 1, having("gpu", "yes")), hosts(3, 3)).hold());
    }

    @Test
    void without_what_is_asked_for_by_name_nothing_is_free() {
        database.withHosts(3);
        held(1, 2, 1);
        compare(lease(hours(0, 4), hosts(2, "host-1")).hold());
        Grant.TooFew unknown =
                (Grant.TooFew)
                        database.settle(brief, lease(hours(0, 4), hosts(1, "host-9")).hold());
        assertThat(unknown.shortages()).extracting(Shortage::free).containsExactly(0);
    }

    @Test
    void a_running_lease_that_cannot_keep_what_it_has_is_explained_as_in_full() {
        database.withHosts(1);
        Wishes.Some running = held(0, 1, 1);
        held(2, 3, 1);
        compare(running.change(hours(0, 4), hosts(1, 1), List.of(1L), true));
    }

    @Test
    void what_is_free_is_granted_however_many_claims_there_are() {
        database.withHosts(2);
        held(0, 4, 1);
        assertThat(database.settle(brief, lease(hours(0, 4), hosts(1, 1)).hold()))
                .isInstanceOf(Grant.Held.class);
    }
}
