package org.leasehold.gateway.api.problem;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.EventLogHeaders;
import org.leasehold.gateway.limits.Limit;
import org.springframework.http.HttpHeaders;

import java.time.Duration;
import java.util.Optional;

/** An error that ends the handling of a request with a problem. */
public final class ProblemException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Problem problem;
    private final transient HttpHeaders headers;
    private final @Nullable Limit limit;

    public ProblemException(Problem problem) {
        this(problem, new HttpHeaders(), null);
    }

    /** Creates a problem for a request that a limit rejects. */
    public ProblemException(Problem problem, Limit limit) {
        this(problem, new HttpHeaders(), limit);
    }

    /** Creates a problem that is recorded as an event. */
    public ProblemException(Problem problem, long position) {
        this(problem, EventLogHeaders.at(position), null);
    }

    /** Creates a problem with a time after which a retry may succeed. */
    public ProblemException(Problem problem, Duration retryAfter) {
        this(problem, retryAfter(retryAfter), null);
    }

    private static HttpHeaders retryAfter(Duration time) {
        HttpHeaders headers = new HttpHeaders();
        headers.set(HttpHeaders.RETRY_AFTER, Long.toString(time.toSeconds()));
        return headers;
    }

    private ProblemException(Problem problem, HttpHeaders headers, @Nullable Limit limit) {
        // A response, not a fault: no stack trace is needed.
        super(problem.detail(), null, false, false);
        this.problem = problem;
        this.headers = headers;
        this.limit = limit;
    }

    public Problem problem() {
        return problem;
    }

    public Optional<Limit> limit() {
        return Optional.ofNullable(limit);
    }

    public HttpHeaders headers() {
        return headers;
    }
}
