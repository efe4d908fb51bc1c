package org.leasehold.command;

/** Records privileged reads: requests that read beyond the caller's project. */
public interface PrivilegedReadLog {

    /**
     * Records a read for auditors. Equal reads of a caller within a minute become one row with a
     * count.
     */
    void record(Read read, CommandContext context);

    /**
     * A read.
     *
     * @param rule the policy's name of the action, such as {@code leasehold:charges:get}
     * @param path the requested path, at most 255 characters
     * @param filter the query parameters that select data, as the client sent them, at most 1000
     *     characters; empty for none
     */
    record Read(String rule, String path, String filter) {}
}
