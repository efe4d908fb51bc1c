package org.leasehold.gateway.api;

import org.springframework.http.HttpHeaders;

/** Ends the handling of a request with a problem. */
final class ProblemException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Problem problem;
    private final transient HttpHeaders headers;

    ProblemException(Problem problem) {
        this(problem, new HttpHeaders());
    }

    /** A problem that is an event itself. */
    ProblemException(Problem problem, long position) {
        this(problem, Headers.at(position));
    }

    private ProblemException(Problem problem, HttpHeaders headers) {
        // An answer, not a fault: nobody looks at its stack.
        super(problem.detail(), null, false, false);
        this.problem = problem;
        this.headers = headers;
    }

    Problem problem() {
        return problem;
    }

    HttpHeaders headers() {
        return headers;
    }
}
