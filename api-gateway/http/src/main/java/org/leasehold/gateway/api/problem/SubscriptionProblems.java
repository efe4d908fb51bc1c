package org.leasehold.gateway.api.problem;

import org.leasehold.command.CommandContext;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.readmodel.subscription.SubscriptionOutcome;

/** Problems of the creation of webhooks and calendar feeds, for people and for programs. */
public final class SubscriptionProblems {

    private SubscriptionProblems() {}

    /**
     * Requires that a subscription was created.
     *
     * @param tooMany the problem if the project has as many as it may
     * @throws ProblemException if it was not created
     */
    public static void requireCreated(
            SubscriptionOutcome outcome, CommandContext context, Problem tooMany) {
        switch (outcome) {
            case MADE -> {}
            case TOO_MANY -> throw new ProblemException(tooMany);
            case KEY_REUSED -> {
                Idempotency request = context.idempotency();
                throw new ProblemException(Problem.keyReused(request == null ? "" : request.key()));
            }
        }
    }
}
