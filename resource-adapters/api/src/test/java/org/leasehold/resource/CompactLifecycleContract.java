package org.leasehold.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting.Assignment;

import java.util.List;

/**
 * The rules of a reservation's lifecycle, shown with few reservations. On a real cloud these tests
 * replace those that start a reservation for each rule, which take six times as many calls.
 */
public abstract class CompactLifecycleContract extends ManualDeletionContract {

    /**
     * Returns false if another plug-in has the same actions and its contract runs on the same
     * cloud. Cut-offs and lost pieces are shown there.
     */
    protected boolean hasOwnActions() {
        return true;
    }

    final void assumeOwnActions() {
        assumeTrue(hasOwnActions(), "the contract of another plug-in takes the same steps");
    }

    @Test
    void a_reservation_has_resources_from_start_to_end() {
        List<Allocation> resources = enrolled();
        Allocation first = resources.getFirst();
        Assignment running = assignment(resources.subList(0, 1));
        assertThat(inspect(running)).as("before all calls").isEmpty();
        assertDone(acting().onEnd(running));
        assertDone(acting().prepare(running));
        assertDone(acting().prepare(running));
        assertFailed(acting().onStart(fencedOff(running)));
        assertThat(inspect(running)).as("before the start").isEmpty();

        assertDone(acting().onStart(running));
        List<String> started = inspect(running);
        assertThat(String.join("\n", started)).contains(running.reservation().toString());
        assertThat(surveyed(running)).isNotEmpty().isSubsetOf(started);

        assertDone(acting().onStart(running));
        assertDone(enrolment().enrol(first.resource(), first.name()));
        assertFailed(acting().onEnd(fencedOff(running)));
        if (adjustsThings()) {
            Assignment elsewhere = with(running, resources.subList(1, 3));
            assertFailed(acting().onAdjust(fencedOff(elsewhere), List.of()));
        }
        assertThat(inspect(running)).as("after repeated and late calls").isEqualTo(started);

        startAndEndAnother(running, resources.subList(1, 2), resources);
        startAndEndOnTheSame(running, resources.subList(0, 1));

        assertDone(acting().beforeEnd(running));
        assertDone(acting().beforeEnd(running));
        assertThat(inspect(running)).as("shortly before the end").containsAll(started);
        assertDone(acting().onEnd(running));
        assertDone(acting().onEnd(running));
        assertThat(inspect(running)).as("after the end").isEmpty();
        assertThat(surveyed(running)).as("after the end").isEmpty();
    }

    /** Another reservation exists beside one that runs; the other one's resources differ. */
    private void startAndEndAnother(
            Assignment running, List<Allocation> others, List<Allocation> all) {
        List<String> before = inspect(running);
        Assignment other = assignment(others);
        assertDone(acting().onStart(other));
        assertThat(surveyed(other)).isNotEmpty().isSubsetOf(inspect(other));
        Assignment more = with(other, all.subList(1, 3));
        assertDone(acting().onAdjust(more, List.of()));
        assertDone(acting().beforeEnd(more));
        assertThat(inspect(running)).as("beside another reservation").isEqualTo(before);
        assertDone(acting().onEnd(more));
        assertThat(surveyed(other)).isEmpty();
        assertThat(inspect(running)).as("after another one's end").isEqualTo(before);
    }

    /** Another reservation gets the same resources if they are shared; otherwise it fails. */
    private void startAndEndOnTheSame(Assignment running, List<Allocation> resource) {
        List<String> before = inspect(running);
        Assignment other = assignment(resource);
        if (resource.getFirst().share() == null) {
            assertFailed(acting().onStart(other));
        } else {
            assertDone(acting().onStart(other));
            assertThat(inspect(other)).hasSameSizeAs(before);
        }
        assertThat(inspect(running)).as("with another one on its resource").isEqualTo(before);
        assertDone(acting().onEnd(other));
        assertThat(inspect(other)).isEmpty();
        assertThat(inspect(running)).as("alone on its resource again").isEqualTo(before);
    }

    @Test
    void an_adjustment_has_the_result_of_a_start_and_frees_other_resources() {
        List<Allocation> resources = enrolled();
        Assignment running = assignment(resources.subList(0, 1));
        assertDone(acting().onStart(running));
        List<String> started = inspect(running);
        Assignment more = with(running, resources);
        assertDone(acting().onAdjust(more, List.of()));
        List<String> adjusted = inspect(running);
        assertDone(acting().onAdjust(more, List.of()));
        assertThat(inspect(running)).as("the same adjustment again").isEqualTo(adjusted);

        assertDone(acting().onAdjust(running, resources.subList(1, 3)));
        assertDone(acting().onAdjust(running, resources.subList(1, 3)));
        assertThat(inspect(running)).as("adjusted to the first resources").isEqualTo(started);
        Assignment next = assignment(resources.subList(1, 3));
        assertDone(acting().onStart(next));
        assertThat(inspect(running)).as("with others on freed resources").isEqualTo(started);
        assertDone(acting().onEnd(next));

        assertThat(afterStart(more)).isEqualTo(adjusted);
        assertDone(acting().onEnd(more));
        Assignment successor = assignment(resources);
        assertDone(acting().onStart(successor));
        List<String> successors = inspect(successor);
        assertThat(successors).isNotEmpty();
        assertDone(acting().onEnd(more));
        assertThat(inspect(successor)).as("after a late end").isEqualTo(successors);
        assertThat(inspect(more)).isEmpty();
    }

    @Test
    void an_adjustment_restores_a_lost_piece_and_an_end_succeeds_without_it() {
        assumeOwnActions();
        List<Allocation> resources = enrolled();
        List<String> expected = adjustedWithoutLoss(resources);
        pieces().forEach(
                        (name, delete) -> {
                            Assignment before = assignment(resources.subList(0, 2));
                            List<String> has = adjusted(before, resources, delete);
                            Assignment assignment = with(before, resources.subList(1, 3));
                            if (adjustsThings()) {
                                assertThat(has).as("without %s", name).isEqualTo(expected);
                                delete.accept(assignment);
                            }
                            assertDone(acting().onEnd(assignment));
                            assertThat(inspect(assignment)).as("without %s", name).isEmpty();
                            assertThat(surveyed(assignment)).as("without %s", name).isEmpty();
                        });
        Assignment bare = assignment(resources.subList(0, 2));
        assertDone(acting().onStart(bare));
        pieces().values().forEach(delete -> delete.accept(bare));
        assertDone(acting().onEnd(bare));
        assertNothingIsLeft(bare, resources, "all");
    }
}
