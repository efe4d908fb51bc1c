package org.leasehold.resource.openstack;

import org.leasehold.lease.Fault;

import java.io.Serial;

/** An error of the cloud; never leaves an adapter. */
public final class CloudFailure extends RuntimeException {

    @Serial private static final long serialVersionUID = 1L;

    /** The status if there was no response. */
    public static final int NO_ANSWER = 0;

    private final Fault.Kind kind;
    private final int status;

    public CloudFailure(Fault.Kind kind, int status, String message) {
        this(oneLine(message), kind, status);
    }

    /**
     * Creates a failure with details for operators.
     *
     * @param message for every reader of the lease
     * @param forOperators may name what other projects have
     */
    public CloudFailure(Fault.Kind kind, int status, String message, String forOperators) {
        this((oneLine(message) + "\n" + oneLine(forOperators)).strip(), kind, status);
    }

    private CloudFailure(String lines, Fault.Kind kind, int status) {
        super(lines, null, false, false);
        this.kind = kind;
        this.status = status;
    }

    /** Joins lines: a message's second line has a meaning, which services do not know. */
    private static String oneLine(String text) {
        return text.replaceAll("\\R+", " ");
    }

    /** Returns a failure without a response. A retry may help; the request may have worked. */
    static CloudFailure noAnswer(String message) {
        return new CloudFailure(Fault.Kind.RETRYABLE, NO_ANSWER, message);
    }

    /** Returns {@link #noAnswer(String)}, with details for operators. */
    static CloudFailure noAnswer(String message, String forOperators) {
        return new CloudFailure(Fault.Kind.RETRYABLE, NO_ANSWER, message, forOperators);
    }

    /**
     * Returns the failure for an error response.
     *
     * @param message the engine's own sentence, with the service and the status
     * @param forOperators the service's message, which may name what other projects have
     */
    static CloudFailure ofStatus(int status, String message, String forOperators) {
        return new CloudFailure(kindOf(status), status, message, forOperators);
    }

    /**
     * Returns the same failure with a sentence before it that says what failed.
     *
     * @param ours a sentence for every reader of the lease, without a full stop
     */
    public CloudFailure withExplanation(Fault.Kind why, String ours) {
        return new CloudFailure(ours + ": " + getMessage(), why, status);
    }

    /** Returns the same failure for a caller who sent no request: a retry may help. */
    CloudFailure asRetryable() {
        return new CloudFailure(String.valueOf(getMessage()), Fault.Kind.RETRYABLE, status);
    }

    /** Returns whether the service has responded with an error that a retry does not change. */
    boolean isRefusal() {
        return status != NO_ANSWER && kindOf(status) != Fault.Kind.RETRYABLE;
    }

    private static Fault.Kind kindOf(int status) {
        return switch (status) {
            case 401, 403 -> Fault.Kind.DENIED;
            // Another change was in the way, or there were too many requests.
            case 408, 409, 425, 429 -> Fault.Kind.RETRYABLE;
            default -> status >= 500 ? Fault.Kind.RETRYABLE : Fault.Kind.PERMANENT;
        };
    }

    /** Returns the HTTP status of the response, or {@link #NO_ANSWER}. */
    public int status() {
        return status;
    }

    public Fault fault() {
        return new Fault(kind, String.valueOf(getMessage()));
    }
}
