package org.leasehold.resource.openstack.heat;

import java.util.Set;

/**
 * A stack in Heat.
 *
 * @param status what it does and how far it is, such as {@code CREATE_IN_PROGRESS}
 * @param reason why it is so, in Heat's words
 * @param project whose it is; empty where Heat does not tell
 * @param tags what is written on it; empty where Heat does not tell
 */
public record ExistingStack(
        String id, String name, String status, String reason, String project, Set<String> tags) {

    private static final String IN_PROGRESS = "_IN_PROGRESS";
    private static final String FAILED = "_FAILED";
    private static final String SUSPENDING = "SUSPEND";

    public ExistingStack {
        tags = Set.copyOf(tags);
    }

    /** Heat is about to do something with it that was asked before. */
    public boolean isBusy() {
        return status.endsWith(IN_PROGRESS);
    }

    /** What was asked last has failed. */
    public boolean hasFailed() {
        return status.endsWith(FAILED);
    }

    /** Whether what it did last, or is doing, has a name such as {@code CREATE}. */
    public boolean was(String action) {
        return status.startsWith(action + "_");
    }

    public boolean isSuspended() {
        return was(SUSPENDING) && !isBusy() && !hasFailed();
    }

    /** For people. */
    @Override
    public String toString() {
        return reason.isEmpty()
                ? "The stack %s (%s)".formatted(name, status)
                : "The stack %s (%s: %s)".formatted(name, status, reason);
    }
}
