package org.leasehold.command.request;

import org.axonframework.messaging.Message;
import org.leasehold.command.CommandContext;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The metadata of a command. It never leaves the process, so it may contain objects; the events
 * store only {@link #stored}.
 */
public final class CommandMetadata {

    /**
     * The age of a request at which its sender may have repeated it elsewhere. After a rejection
     * there, the key is free again, so the old request must not be decided with its old time.
     */
    public static final Duration MAX_REQUEST_AGE = Duration.ofSeconds(20);

    /** Key of the decision time, for handlers that take it as a parameter. */
    private static final String NOW = "now";

    /** Key for the handler that compares these versions with the version of the aggregate. */
    private static final String EXPECTED_VERSIONS = "expectedVersions";

    private static final String CONTEXT = "context";
    private static final String RECEIPT = "receipt";

    private CommandMetadata() {}

    public static Map<String, Object> of(CommandContext context, CommandReceipt receipt) {
        Map<String, Object> metadata = new HashMap<>();
        metadata.put(NOW, context.now());
        Set<Long> expectedVersions = context.expectedVersions();
        if (expectedVersions != null) {
            metadata.put(EXPECTED_VERSIONS, expectedVersions);
        }
        metadata.put(CONTEXT, context);
        metadata.put(RECEIPT, receipt);
        return metadata;
    }

    public static CommandContext context(Message<?> command) {
        return (CommandContext) entry(command, CONTEXT);
    }

    public static CommandReceipt receipt(Message<?> command) {
        return (CommandReceipt) entry(command, RECEIPT);
    }

    public static Instant now(Message<?> command) {
        return (Instant) entry(command, NOW);
    }

    private static Object entry(Message<?> command, String name) {
        Object value = command.getMetaData().get(name);
        if (value == null) {
            throw new IllegalStateException("a command without " + name);
        }
        return value;
    }

    /** Returns the metadata of every event that the command causes. */
    public static Map<String, Object> stored(CommandContext context) {
        Map<String, Object> stored = new LinkedHashMap<>();
        stored.put("requestId", context.requestId());
        if (context.user() != null) {
            stored.put("user", context.user());
        }
        if (context.project() != null) {
            stored.put("project", context.project());
        }
        stored.put("roles", context.roles());
        stored.put("authentication", context.authentication());
        if (context.causation() != null) {
            stored.put("causation", context.causation());
        }
        if (context.reason() != null) {
            stored.put("reason", context.reason());
        }
        return stored;
    }
}
