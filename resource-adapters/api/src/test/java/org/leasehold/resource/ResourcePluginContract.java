package org.leasehold.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The engine's requirements for every plug-in. A plug-in's own test extends this class and
 * describes its cloud. Each test gets a cloud in which nothing is enrolled or reserved. This class
 * adds the rules for adjustments and for calls that are cut off.
 */
public abstract class ResourcePluginContract extends ServerMoveContract {

    @Test
    @Tag(SEPARATE_LIFE)
    void an_adjustment_to_more_resources_equals_a_start_with_them() {
        List<Allocation> resources = enrolled();
        Assignment assignment = assignment(resources.subList(0, 1));
        assertDone(acting().onStart(assignment));
        Assignment more = with(assignment, resources);

        assertDone(acting().onAdjust(more, List.of()));
        List<String> adjusted = inspect(assignment);
        assertDone(acting().onAdjust(more, List.of()));

        assertThat(inspect(assignment)).isEqualTo(adjusted);
        assertThat(adjusted).isEqualTo(afterStart(more));
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void an_adjustment_to_fewer_resources_frees_the_others() {
        List<Allocation> resources = enrolled();
        Assignment assignment = assignment(resources);
        assertDone(acting().onStart(assignment));
        Assignment less = with(assignment, resources.subList(0, 1));

        assertDone(acting().onAdjust(less, resources.subList(1, 3)));
        List<String> adjusted = inspect(assignment);
        assertDone(acting().onAdjust(less, resources.subList(1, 3)));

        assertThat(inspect(assignment)).isEqualTo(adjusted);
        Assignment next = assignment(resources.subList(1, 3));
        assertDone(acting().onStart(next));
        assertThat(inspect(assignment)).isEqualTo(adjusted);
        assertDone(acting().onEnd(next));
        assertThat(adjusted).isEqualTo(afterStart(less));
    }

    @Test
    void a_start_that_is_cut_off_at_any_step_is_completed_by_a_retry() {
        List<Allocation> resources = enrolled();
        cutOffAtEveryStep(
                () -> assignment(resources.subList(0, 2)),
                assignment -> acting().onStart(assignment));
    }

    @Test
    void an_adjustment_that_is_cut_off_at_any_step_is_completed_by_a_retry() {
        assumeTrue(adjustsThings(), "an adjustment changes nothing in the cloud");
        List<Allocation> resources = enrolled();
        cutOffAtEveryStep(
                () -> {
                    Assignment assignment = assignment(resources.subList(0, 2));
                    assertDone(acting().onStart(assignment));
                    return with(assignment, resources.subList(1, 3));
                },
                assignment -> acting().onAdjust(assignment, resources.subList(0, 1)));
    }

    @Test
    void an_end_that_is_cut_off_at_any_step_is_completed_by_a_retry() {
        List<Allocation> resources = enrolled();
        cutOffAtEveryStep(
                () -> {
                    Assignment assignment = assignment(resources.subList(0, 2));
                    assertDone(acting().onStart(assignment));
                    return assignment;
                },
                assignment -> acting().onEnd(assignment));
    }

    @Test
    void a_start_that_is_cut_off_at_any_step_can_be_ended() {
        List<Allocation> resources = enrolled();
        endAfterEveryStep(() -> assignment(resources.subList(0, 2)));
    }

    /** Cuts off a start after each of its steps and ends it. */
    void endAfterEveryStep(Supplier<Assignment> prepare) {
        CloudFaults faults = assumedFaults();
        for (int step = 0; step < MORE_STEPS_THAN_ANY_CALL_HAS; step++) {
            if (endAfterCutOff(faults, prepare.get(), step) instanceof Result.Done) {
                return;
            }
        }
        throw new AssertionError("a start has no end of steps");
    }

    /** Cuts off a start after a step, ends it and returns the result of the start. */
    final Result endAfterCutOff(CloudFaults faults, Assignment assignment, int step) {
        faults.failAfterEffect(step);
        Result result = acting().onStart(assignment);
        faults.heal();
        assertDone(acting().onEnd(assignment));
        assertThat(inspect(assignment)).as("cut off after step %d", step).isEmpty();
        return result;
    }

    /**
     * Makes each step of a call fail once, before and after its effect. The retried call must reach
     * the same state as an undisturbed one. Each cut-off gets an assignment of its own.
     */
    @Override
    void cutOffAtEveryStep(Supplier<Assignment> prepare, Function<Assignment, Result> call) {
        CloudFaults faults = assumedFaults();
        Assignment undisturbed = prepare.get();
        assertDone(call.apply(undisturbed));
        List<String> expected = anonymous(undisturbed);
        assertDone(acting().onEnd(undisturbed));
        int cut = 0;
        for (boolean effect : new boolean[] {false, true}) {
            for (int step = 0; step < MORE_STEPS_THAN_ANY_CALL_HAS; step++) {
                Assignment assignment = prepare.get();
                if (effect) {
                    faults.failAfterEffect(step);
                } else {
                    faults.failBeforeEffect(step);
                }
                Result result = call.apply(assignment);
                faults.heal();
                assertDone(call.apply(assignment));
                assertThat(anonymous(assignment))
                        .as("cut off at step %d, which took effect: %s", step, effect)
                        .isEqualTo(expected);
                assertDone(acting().onEnd(assignment));
                if (result instanceof Result.Done) {
                    break;
                }
                assertRetryable(result);
                cut++;
            }
        }
        assertThat(cut).as("calls that were cut off").isGreaterThan(1);
    }

    /** Ends the reservation and starts it again. */
    final List<String> afterStart(Assignment assignment) {
        assertDone(acting().onEnd(assignment));
        assertDone(acting().onStart(assignment));
        return inspect(assignment);
    }
}
