package org.leasehold.command;

/** Keeps what callers wanted that is not for them, and for which no command was sent. */
public interface DeniedAccess {

    /**
     * Keeps an attempt for auditors. Equal ones of a caller within a minute are one, which is
     * counted: for want of a role those at one rule, and otherwise those at one target.
     *
     * @param rule the policy's name of what was wanted
     * @param target what it was wanted of: a lease's id, or the path that was asked for
     */
    void record(Why why, String rule, String target, CommandContext context);

    /** What was in the way. */
    enum Why {
        /** None of the caller's roles may do such a thing. */
        ROLE,
        /** The lease is another project's; the caller was told that there is none. */
        ANOTHER_PROJECT
    }
}
