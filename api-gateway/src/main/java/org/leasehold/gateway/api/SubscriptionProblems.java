package org.leasehold.gateway.api;

import org.leasehold.command.CommandContext;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.query.SubscriptionOutcome;

/** Why there is no webhook, or no calendar's feed, for people and for programs. */
final class SubscriptionProblems {

    private SubscriptionProblems() {}

    /**
     * Goes on only with what was made.
     *
     * @param tooMany if the project has as many as it may
     * @throws ProblemException if it was not made
     */
    static void requireMade(SubscriptionOutcome outcome, CommandContext context, Problem tooMany) {
        switch (outcome) {
            case MADE -> {}
            case TOO_MANY -> throw new ProblemException(tooMany);
            case KEY_REUSED -> {
                Idempotency request = context.idempotency();
                throw new ProblemException(
                        LeaseProblems.keyReused(request == null ? "" : request.key()));
            }
        }
    }
}
