package org.leasehold.resource.openstack;

import org.leasehold.lease.Fault;

import java.io.Serial;

/** What the cloud answers instead of doing its work; never leaves an adapter. */
public final class CloudFailure extends RuntimeException {

    @Serial private static final long serialVersionUID = 1L;

    /** There was no answer, so there is no status. */
    public static final int NO_ANSWER = 0;

    private final Fault.Kind kind;
    private final int status;

    public CloudFailure(Fault.Kind kind, int status, String message) {
        this(oneLine(message), kind, status);
    }

    /**
     * A failure that has more to say to operators.
     *
     * @param message for everybody who sees the lease
     * @param forOperators names what others have
     */
    public CloudFailure(Fault.Kind kind, int status, String message, String forOperators) {
        this(oneLine(message) + "\n" + oneLine(forOperators), kind, status);
    }

    private CloudFailure(String lines, Fault.Kind kind, int status) {
        super(lines, null, false, false);
        this.kind = kind;
        this.status = status;
    }

    /** The second line of a message has a meaning; services do not know that. */
    private static String oneLine(String text) {
        return text.replaceAll("\\R+", " ");
    }

    /** Trying again later may help; what was asked may have happened all the same. */
    static CloudFailure noAnswer(String message) {
        return new CloudFailure(Fault.Kind.RETRYABLE, NO_ANSWER, message);
    }

    /** The service answered with an error. */
    static CloudFailure answered(int status, String message) {
        return new CloudFailure(kindOf(status), status, message);
    }

    /** The service answered with an error, of which operators may read more. */
    static CloudFailure answered(int status, String message, String forOperators) {
        return new CloudFailure(kindOf(status), status, message, forOperators);
    }

    /** The same failure for a caller who did not ask the service: to ask later may help. */
    CloudFailure remembered() {
        return new CloudFailure(String.valueOf(getMessage()), Fault.Kind.RETRYABLE, status);
    }

    /** Whether the service has answered, with an error that no repetition changes. */
    boolean isRefusal() {
        return status != NO_ANSWER && kindOf(status) != Fault.Kind.RETRYABLE;
    }

    private static Fault.Kind kindOf(int status) {
        return switch (status) {
            case 401, 403 -> Fault.Kind.DENIED;
            // Somebody else's change was in the way, or there were too many requests.
            case 408, 409, 425, 429 -> Fault.Kind.RETRYABLE;
            default -> status >= 500 ? Fault.Kind.RETRYABLE : Fault.Kind.PERMANENT;
        };
    }

    /** The HTTP status of the answer, or {@link #NO_ANSWER}. */
    public int status() {
        return status;
    }

    public Fault fault() {
        return new Fault(kind, String.valueOf(getMessage()));
    }
}
