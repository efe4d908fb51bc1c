package org.leasehold.resource.openstack.heat;

import java.util.Set;

/**
 * A stack in Heat.
 *
 * @param status its action and the progress, such as {@code CREATE_IN_PROGRESS}
 * @param reason the reason of the status, in Heat's words
 * @param project the project that owns it; empty if Heat does not show it
 * @param tags its tags; empty if Heat does not show them
 * @param updated the time at which its last update began, as Heat writes it; empty without one
 */
public record ExistingStack(
        String id,
        String name,
        String status,
        String reason,
        String project,
        Set<String> tags,
        String updated) {

    private static final String IN_PROGRESS = "_IN_PROGRESS";
    private static final String FAILED = "_FAILED";
    private static final String SUSPENDING = "SUSPEND";
    private static final Set<String> COMPLETED_REQUESTS =
            Set.of("CREATE_COMPLETE", "UPDATE_COMPLETE");

    public ExistingStack {
        tags = Set.copyOf(tags);
    }

    /** Returns whether Heat has yet to finish an earlier request. */
    public boolean isBusy() {
        return status.endsWith(IN_PROGRESS);
    }

    /** Returns whether the last action failed. */
    public boolean hasFailed() {
        return status.endsWith(FAILED);
    }

    /**
     * Returns whether Heat has completed the last request for the content. After a rollback, or
     * another action, the content may be another one.
     */
    public boolean hasRequestedContent() {
        return COMPLETED_REQUESTS.contains(status);
    }

    /** Returns whether the last or present action has a name such as {@code CREATE}. */
    public boolean hasAction(String action) {
        return status.startsWith(action + "_");
    }

    public boolean isSuspended() {
        return hasAction(SUSPENDING) && !isBusy() && !hasFailed();
    }

    /** Returns a text for people. */
    @Override
    public String toString() {
        return reason.isEmpty()
                ? "The stack %s (%s)".formatted(name, status)
                : "The stack %s (%s: %s)".formatted(name, status, reason);
    }
}
