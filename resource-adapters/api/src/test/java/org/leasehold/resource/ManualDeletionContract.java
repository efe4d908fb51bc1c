package org.leasehold.resource;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;

import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * The engine's requirements if an operator deletes, by hand, a part of what a plug-in created. The
 * plug-in must still find and remove the rest.
 */
public abstract class ManualDeletionContract extends ResourcePluginContract {

    /** Returns a deletion for each thing of a running reservation in the cloud, by its name. */
    protected abstract SortedMap<String, Consumer<Assignment>> pieces();

    @Test
    @Tag(SEPARATE_LIFE)
    void an_end_succeeds_although_a_piece_is_missing() {
        List<Allocation> resources = enrolled();
        pieces().forEach(
                        (name, delete) -> {
                            Assignment assignment = assignment(resources.subList(0, 2));
                            assertDone(acting().onStart(assignment));
                            delete.accept(assignment);

                            assertDone(acting().onEnd(assignment));

                            assertNothingIsLeft(assignment, resources, name);
                        });
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void an_end_succeeds_although_all_pieces_are_missing() {
        List<Allocation> resources = enrolled();
        Assignment assignment = assignment(resources.subList(0, 2));
        assertDone(acting().onStart(assignment));
        pieces().values().forEach(delete -> delete.accept(assignment));

        assertDone(acting().onEnd(assignment));

        assertNothingIsLeft(assignment, resources, "all");
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void an_adjustment_restores_a_missing_piece_or_fails_and_can_be_ended() {
        List<Allocation> resources = enrolled();
        List<String> expected = adjustedWithoutLoss(resources);
        pieces().forEach(
                        (name, delete) -> {
                            Assignment assignment = assignment(resources.subList(0, 2));
                            List<String> has = adjusted(assignment, resources, delete);
                            if (adjustsThings()) {
                                assertThat(has).as("without %s", name).isEqualTo(expected);
                            }
                            assertDone(acting().onEnd(with(assignment, resources.subList(1, 3))));
                            assertNothingIsLeft(assignment, resources, name);
                        });
    }

    /** Returns what an adjusted reservation has that lost nothing; it has ended meanwhile. */
    final List<String> adjustedWithoutLoss(List<Allocation> resources) {
        Assignment undisturbed = assignment(resources.subList(0, 2));
        List<String> has = adjusted(undisturbed, resources, _ -> {});
        assertDone(acting().onEnd(undisturbed));
        return has;
    }

    /** Returns what a reservation has after it released the first resource and got the third. */
    final List<String> adjusted(
            Assignment assignment, List<Allocation> resources, Consumer<Assignment> meanwhile) {
        assertDone(acting().onStart(assignment));
        meanwhile.accept(assignment);
        Assignment other = with(assignment, resources.subList(1, 3));
        Result result = acting().onAdjust(other, resources.subList(0, 1));
        if (adjustsThings()) {
            assertDone(result);
        }
        return anonymous(assignment);
    }

    /** Checks also that all of its resources can be leased again. */
    final void assertNothingIsLeft(
            Assignment assignment, List<Allocation> resources, String missing) {
        assertThat(inspect(assignment)).as("without %s", missing).isEmpty();
        assertThat(surveyed(assignment)).as("without %s", missing).isEmpty();
        Assignment next = assignment(resources);
        assertDone(acting().onStart(next));
        assertDone(acting().onEnd(next));
    }
}
