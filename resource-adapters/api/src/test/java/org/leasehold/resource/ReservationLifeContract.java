package org.leasehold.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;

import java.util.List;

/** The rules for starts and ends of reservations, and for two of them beside each other. */
public abstract class ReservationLifeContract extends InventoryContract {

    @Test
    @Tag(SEPARATE_LIFE)
    void an_enrolment_does_not_take_a_resource_from_a_reservation() {
        List<Allocation> resources = enrolled();
        Assignment running = assignment(resources.subList(0, 1));
        assertDone(acting().onStart(running));
        List<String> before = inspect(running);

        assertDone(enrolment().enrol(resources.getFirst().resource(), resources.getFirst().name()));

        assertThat(inspect(running)).isEqualTo(before);
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void a_reservation_has_no_resources_before_the_start() {
        assertThat(inspect(assignment(enrolled()))).isEmpty();
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void started_resources_carry_the_reservation_id() {
        Assignment assignment = assignment(enrolled().subList(0, 1));

        assertDone(acting().onStart(assignment));

        assertThat(String.join("\n", inspect(assignment)))
                .contains(assignment.reservation().toString());
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void starting_may_be_repeated() {
        Assignment assignment = assignment(enrolled().subList(0, 2));
        assertDone(acting().onStart(assignment));
        List<String> before = inspect(assignment);

        assertDone(acting().onStart(assignment));

        assertThat(inspect(assignment)).isEqualTo(before);
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void an_end_removes_all_resources_of_a_reservation() {
        Assignment assignment = assignment(enrolled().subList(0, 2));
        assertDone(acting().onStart(assignment));

        assertDone(acting().onEnd(assignment));

        assertThat(inspect(assignment)).isEmpty();
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void a_survey_finds_the_resources_of_a_reservation_until_the_end() {
        List<Allocation> resources = enrolled();
        Assignment one = assignment(resources.subList(0, 1));
        Assignment other = assignment(resources.subList(1, 3));
        assertDone(acting().onStart(one));
        assertDone(acting().onStart(other));

        assertThat(surveyed(one)).isNotEmpty().isSubsetOf(inspect(one));
        assertThat(surveyed(other)).isNotEmpty().isSubsetOf(inspect(other));
        assertComplete(one, other);
        assertDone(acting().onEnd(one));

        assertThat(surveyed(one)).isEmpty();
        assertThat(surveyed(other)).isNotEmpty();
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void ending_may_be_repeated() {
        Assignment assignment = assignment(enrolled().subList(0, 2));
        assertDone(acting().onStart(assignment));

        assertDone(acting().onEnd(assignment));
        assertDone(acting().onEnd(assignment));

        assertThat(inspect(assignment)).isEmpty();
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void ending_a_reservation_that_never_started_succeeds() {
        Assignment assignment = assignment(enrolled().subList(0, 2));

        assertDone(acting().onEnd(assignment));

        assertThat(inspect(assignment)).isEmpty();
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void a_resource_can_be_leased_again_after_the_end() {
        List<Allocation> resources = enrolled();
        Assignment first = assignment(resources);
        assertDone(acting().onStart(first));
        assertDone(acting().onEnd(first));
        Assignment next = assignment(resources);

        assertDone(acting().onStart(next));

        assertThat(inspect(next)).isNotEmpty();
        assertThat(inspect(first)).isEmpty();
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void the_action_before_the_end_is_repeatable_and_removes_nothing() {
        Assignment assignment = assignment(enrolled().subList(0, 1));
        assertDone(acting().onStart(assignment));
        List<String> before = inspect(assignment);

        assertDone(acting().beforeEnd(assignment));
        assertDone(acting().beforeEnd(assignment));

        assertThat(inspect(assignment)).containsAll(before);
        assertDone(acting().onEnd(assignment));
        assertThat(inspect(assignment)).isEmpty();
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void the_preparation_is_repeatable_and_gives_no_resources() {
        Assignment assignment = assignment(enrolled().subList(0, 1));

        assertDone(acting().prepare(assignment));
        assertDone(acting().prepare(assignment));

        assertThat(inspect(assignment)).isEmpty();
        assertDone(acting().onStart(assignment));
        assertThat(inspect(assignment)).isNotEmpty();
        assertDone(acting().onEnd(assignment));
        assertThat(inspect(assignment)).isEmpty();
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void a_reservation_does_not_change_the_resources_of_another() {
        List<Allocation> resources = enrolled();
        Assignment one = assignment(resources.subList(0, 1));
        Assignment other = assignment(resources.subList(1, 2));
        assertDone(acting().onStart(one));
        List<String> before = inspect(one);

        assertDone(acting().onStart(other));
        assertThat(inspect(one)).isEqualTo(before);
        assertDone(acting().onAdjust(with(other, resources.subList(1, 3)), List.of()));
        assertThat(inspect(one)).isEqualTo(before);
        assertDone(acting().beforeEnd(other));
        assertThat(inspect(one)).isEqualTo(before);
        assertDone(acting().onEnd(other));
        assertThat(inspect(one)).isEqualTo(before);
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void a_fenced_off_call_fails_and_changes_nothing() {
        List<Allocation> resources = enrolled();
        Assignment running = assignment(resources.subList(0, 1));

        assertFailed(acting().onStart(fencedOff(running)));
        assertThat(inspect(running)).isEmpty();

        assertDone(acting().onStart(running));
        List<String> before = inspect(running);
        Assignment elsewhere = with(running, resources.subList(1, 3));
        if (adjustsThings()) {
            assertFailed(acting().onAdjust(fencedOff(elsewhere), List.of()));
        }
        assertFailed(acting().onEnd(fencedOff(running)));
        assertThat(inspect(running)).isEqualTo(before);
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void a_late_end_does_not_change_the_next_reservation() {
        List<Allocation> resource = enrolled().subList(0, 1);
        Assignment predecessor = assignment(resource);
        assertDone(acting().onStart(predecessor));
        assertDone(acting().onEnd(predecessor));
        Assignment successor = assignment(resource);
        assertDone(acting().onStart(successor));
        List<String> before = inspect(successor);

        assertDone(acting().onEnd(predecessor));

        assertThat(inspect(successor)).isEqualTo(before);
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void a_start_on_a_resource_of_another_reservation_fails() {
        List<Allocation> resource = enrolled().subList(0, 1);
        assumeTrue(resource.getFirst().share() == null, "reservations share resources");
        Assignment owner = assignment(resource);
        assertDone(acting().onStart(owner));
        List<String> before = inspect(owner);
        Assignment intruder = assignment(resource);

        assertThat(acting().onStart(intruder)).isInstanceOf(Result.Failed.class);

        assertThat(inspect(owner)).isEqualTo(before);
        assertDone(acting().onEnd(intruder));
        assertThat(inspect(owner)).isEqualTo(before);
        assertThat(inspect(intruder)).isEmpty();
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void reservations_that_share_a_resource_start_and_end_independently() {
        List<Allocation> resource = enrolled().subList(0, 1);
        assumeTrue(resource.getFirst().share() != null, "a resource is one reservation's alone");
        Assignment one = assignment(resource);
        assertDone(acting().onStart(one));
        List<String> before = inspect(one);
        Assignment other = assignment(resource);

        assertDone(acting().onStart(other));
        assertThat(inspect(one)).isEqualTo(before);
        assertThat(inspect(other)).hasSameSizeAs(before);
        assertDone(acting().onEnd(one));

        assertThat(inspect(one)).isEmpty();
        assertThat(inspect(other)).hasSameSizeAs(before);
        assertDone(acting().onEnd(other));
        assertThat(inspect(other)).isEmpty();
    }
}
