package org.leasehold.command;

/** Records denials: attempts that a policy forbade, and that caused no command. */
public interface DenialLog {

    /**
     * Records a denial for auditors. Equal denials of a caller within a minute become one row with
     * a count. Those for a missing role are equal per rule, those at a lease per target, and denied
     * logins per address.
     *
     * @param rule the policy's name of the attempted action
     * @param target the target of the action: a lease's id, or the requested path; {@code -} for a
     *     login
     */
    void record(Why why, String rule, String target, CommandContext context);

    /** The reason of a denial. */
    enum Why {
        /** None of the caller's roles permits the action. */
        ROLE,
        /** Another project's lease; the response was that of a missing lease. */
        ANOTHER_PROJECT,
        /** A wrong password, or a name that no user has. */
        LOGIN_FAILED,
        /** A login that was not checked, because too many before it had failed. */
        LOGIN_THROTTLED
    }
}
