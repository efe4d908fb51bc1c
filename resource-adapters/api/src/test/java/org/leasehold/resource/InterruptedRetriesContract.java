package org.leasehold.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The engine's requirements if each retry of a call is cut off one step later. All retries are for
 * one assignment: each begins in the state that the last cut-off left. On a slow cloud this
 * replaces a new assignment for each cut-off, which takes a time quadratic in the steps.
 */
public abstract class InterruptedRetriesContract extends CompactLifecycleContract {

    /** Returns the faults of the cloud behind the plug-in. */
    protected abstract StepFaults stepFaults();

    /** Returns whether each cut-off gets a new assignment; false takes less time. */
    protected boolean newAssignmentPerCutOff() {
        return true;
    }

    /** Faults that recognise a repeated step. A step is a request that changes the cloud. */
    public interface StepFaults extends CloudFaults {

        /**
         * Cuts off the next call at its first step that has not been cut since {@link #heal}. The
         * later steps of this call have no effect, as if the engine had crashed.
         *
         * @param afterEffect whether the cut step itself takes effect
         */
        void cutNewStep(boolean afterEffect);

        /** Returns all steps since {@link #heal}, in order, with repetitions. */
        List<String> steps();

        /** Returns the steps that were cut since {@link #heal}, in order. */
        List<String> cutSteps();

        /** Ends all failures and forgets all steps. */
        @Override
        void heal();
    }

    @Override
    protected final Optional<CloudFaults> faults() {
        return Optional.of(stepFaults());
    }

    @Test
    void a_start_completes_after_a_cut_off_at_every_step() {
        assumeNewAssignmentPerCutOff();
        List<Allocation> resources = usedBefore();
        retryAfterEveryStep(
                () -> assignment(resources.subList(0, 2)),
                assignment -> acting().onStart(assignment));
    }

    @Test
    void an_adjustment_completes_after_a_cut_off_at_every_step() {
        assumeNewAssignmentPerCutOff();
        assumeTrue(adjustsThings(), "an adjustment changes nothing in the cloud");
        List<Allocation> resources = usedBefore();
        retryAfterEveryStep(
                () -> with(started(resources.subList(0, 2)), resources.subList(1, 3)),
                assignment -> acting().onAdjust(assignment, resources.subList(0, 1)));
    }

    @Test
    void an_end_completes_after_a_cut_off_at_every_step() {
        assumeNewAssignmentPerCutOff();
        List<Allocation> resources = usedBefore();
        retryAfterEveryStep(
                () -> started(resources.subList(0, 2)), assignment -> acting().onEnd(assignment));
    }

    @Test
    void a_start_can_be_ended_after_a_cut_off_at_the_first_middle_or_last_step() {
        assumeNewAssignmentPerCutOff();
        List<Allocation> resources = enrolled();
        endAfterSampledSteps(() -> assignment(resources.subList(0, 2)));
    }

    private void assumeNewAssignmentPerCutOff() {
        assumeTrue(newAssignmentPerCutOff(), "the tests of the plug-in contract do the same");
    }

    /** Returns enrolled resources; the cloud has all that outlives their first reservation. */
    private List<Allocation> usedBefore() {
        List<Allocation> resources = enrolled();
        assertDone(acting().onEnd(started(resources)));
        return resources;
    }

    private Assignment started(List<Allocation> resources) {
        Assignment assignment = assignment(resources);
        assertDone(acting().onStart(assignment));
        return assignment;
    }

    @Override
    final void cutOffAtEveryStep(Supplier<Assignment> prepare, Function<Assignment, Result> call) {
        assumeOwnActions();
        if (newAssignmentPerCutOff()) {
            super.cutOffAtEveryStep(prepare, call);
        } else {
            retryAfterEveryStep(prepare, call);
        }
    }

    @Override
    final void endAfterEveryStep(Supplier<Assignment> prepare) {
        assumeOwnActions();
        if (newAssignmentPerCutOff()) {
            super.endAfterEveryStep(prepare);
        } else {
            endAfterSampledSteps(prepare);
        }
    }

    /** Cuts off each step of a call before its effect; then, with another assignment, after it. */
    private void retryAfterEveryStep(
            Supplier<Assignment> prepare, Function<Assignment, Result> call) {
        StepFaults faults = stepFaults();
        Assignment undisturbed = prepare.get();
        faults.heal();
        assertDone(call.apply(undisturbed));
        Set<String> steps = new HashSet<>(faults.steps());
        List<String> expected = anonymous(undisturbed);
        assertDone(acting().onEnd(undisturbed));
        int cut = 0;
        for (boolean effect : new boolean[] {false, true}) {
            Assignment assignment = prepare.get();
            faults.heal();
            cut += retryUntilNoStepIsNew(faults, assignment, call, effect);
            if (newAssignmentPerCutOff()) {
                assertThat(faults.cutSteps())
                        .as("cut steps of %s, which took effect: %s", steps, effect)
                        .hasSizeGreaterThanOrEqualTo(steps.size());
            }
            faults.heal();
            assertThat(anonymous(assignment))
                    .as("cut off at every step, which took effect: %s", effect)
                    .isEqualTo(expected);
            assertDone(acting().onEnd(assignment));
            assertThat(inspect(assignment)).isEmpty();
        }
        assertThat(cut).as("calls that were cut off").isGreaterThan(1);
    }

    /** Repeats a call until none of its steps is new; returns the number of failed calls. */
    private static int retryUntilNoStepIsNew(
            StepFaults faults,
            Assignment assignment,
            Function<Assignment, Result> call,
            boolean effect) {
        int failed = 0;
        for (int retry = 0; retry < MORE_STEPS_THAN_ANY_CALL_HAS; retry++) {
            int cutBefore = faults.cutSteps().size();
            faults.cutNewStep(effect);
            Result result = call.apply(assignment);
            if (faults.cutSteps().size() == cutBefore) {
                assertDone(result);
                return failed;
            }
            if (!(result instanceof Result.Done)) {
                assertRetryable(result);
                failed++;
            }
        }
        throw new AssertionError("each retry has a new step: " + faults.cutSteps());
    }

    /** Cuts off a start after the first, the middle and the last step, and ends it each time. */
    private void endAfterSampledSteps(Supplier<Assignment> prepare) {
        StepFaults faults = stepFaults();
        stepsOfStart(faults, prepare.get());
        // Only the first start creates what outlives a reservation.
        int steps = stepsOfStart(faults, prepare.get());
        for (int step : new TreeSet<>(List.of(0, steps / 2, steps - 1))) {
            assertRetryable(endAfterCutOff(faults, prepare.get(), step));
        }
    }

    private int stepsOfStart(StepFaults faults, Assignment assignment) {
        faults.heal();
        assertDone(acting().onStart(assignment));
        int steps = faults.steps().size();
        assertDone(acting().onEnd(assignment));
        assertThat(steps).as("steps of a start").isPositive();
        return steps;
    }
}
