package org.leasehold.invariants;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.RetryPlan;
import org.leasehold.vocabulary.LeaseId;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** The leases that are retried: their attempts count up, and none is beyond its window. */
final class ExpectedRetries {

    private final Map<LeaseId, LeaseRetryScheduled> retried = new HashMap<>();
    private final Consumer<String> violations;

    ExpectedRetries(Consumer<String> violations) {
        this.violations = violations;
    }

    /**
     * Applies the next event of any lease.
     *
     * @return whether the lease was never granted
     */
    boolean apply(LeaseEvent event, Instant decided) {
        LeaseRetryScheduled before =
                event instanceof LeaseRetryScheduled scheduled
                        ? retried.put(event.leaseId(), scheduled)
                        : retried.remove(event.leaseId());
        if (event instanceof LeaseRetryScheduled scheduled) {
            check(scheduled, before, decided);
        }
        if (before != null
                && event instanceof LeaseRefused
                && decided.isBefore(before.plan().nextAttempt())) {
            violations.accept(event.leaseId() + " was refused for good too early, at " + decided);
        }
        if (before != null
                && event instanceof LeaseEvent.LeaseRequested
                && !decided.isBefore(before.plan().until())) {
            violations.accept(event.leaseId() + " was granted beyond its window, at " + decided);
        }
        return before != null && !(event instanceof LeaseEvent.LeaseRequested);
    }

    private void check(
            LeaseRetryScheduled next, @Nullable LeaseRetryScheduled before, Instant decided) {
        RetryPlan plan = next.plan();
        if (!plan.nextAttempt().isBefore(plan.until())
                || plan.until().isAfter(next.period().end())) {
            violations.accept("an attempt follows beyond the window: " + next);
        }
        RetryPlan last = before == null ? null : before.plan();
        if (last != null && decided.isBefore(last.nextAttempt())) {
            checkEarly(next, last);
            return;
        }
        int expected = last == null ? 1 : last.attempt() + 1;
        if (plan.attempt() != expected || plan.attemptsLeft() < 1) {
            violations.accept("attempt %s follows: %s".formatted(expected, next));
        }
        if (plan.earlyCount() != (last == null ? 0 : last.earlyCount())) {
            violations.accept("a planned attempt counts as an early one: " + next);
        }
        if (!Objects.equals(plan.earlyFrom(), last == null ? null : last.earlyFrom())) {
            violations.accept("a planned attempt changes the pause of early ones: " + next);
        }
    }

    /** Checks that an early attempt leaves the plan as it was, and that their number is limited. */
    private void checkEarly(LeaseRetryScheduled next, RetryPlan last) {
        RetryPlan plan = next.plan();
        if (plan.attempt() != last.attempt()
                || plan.attemptsLeft() != last.attemptsLeft()
                || !plan.nextAttempt().equals(last.nextAttempt())
                || !plan.until().equals(last.until())) {
            violations.accept("an early attempt counts: " + next);
        }
        if (plan.earlyCount() != last.earlyCount() + 1
                || plan.earlyCount() > plan.attempt() - 1 + plan.attemptsLeft()) {
            violations.accept("early attempt %s follows: %s".formatted(last.earlyCount(), next));
        }
    }

    /**
     * Returns whether a refusal repeats the last attempt, because the window could no longer be
     * met.
     */
    boolean isRepeated(LeaseRefused refusal, Instant decided) {
        LeaseRetryScheduled last = retried.get(refusal.leaseId());
        return last != null
                && last.asOf() == refusal.asOf()
                && !decided.isBefore(last.plan().until());
    }

    Optional<Instant> nextAttempt(LeaseId lease) {
        return Optional.ofNullable(retried.get(lease)).map(last -> last.plan().nextAttempt());
    }
}
