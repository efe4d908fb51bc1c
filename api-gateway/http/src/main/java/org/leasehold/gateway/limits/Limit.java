package org.leasehold.gateway.limits;

import jakarta.servlet.http.HttpServletRequest;

import java.util.Optional;

/** A limit that rejects requests; metrics count the rejections by its name. */
public enum Limit {
    REQUESTS_PER_SECOND("requests.per-second"),
    REQUESTS_OF_CALLER("requests.at-once"),
    REQUESTS("requests.all-at-once"),
    REQUESTS_OF_ADDRESS("requests.anonymous-at-once"),
    ANONYMOUS_REQUESTS("requests.all-anonymous-at-once"),
    TIME_OF_BODY("bodies.within"),
    BYTES_OF_BODY("bodies.largest"),
    BODIES_OF_CALLER("bodies.of-one-caller"),
    BODIES("bodies.all"),
    FAILED_LOGINS("logins.failures"),
    PASSWORD_CHECKS("logins.checks-at-once"),
    STREAMS_OF_USER("streams.of-a-user"),
    STREAMS("streams.all"),
    DOWNLOADS("downloads.at-once"),
    LONG_READS("long-reads.at-once");

    private static final String ATTRIBUTE = Limit.class.getName();

    private final String label;

    Limit(String label) {
        this.label = label;
    }

    /** Returns its name in metrics: the name of its setting without the prefix, if it has one. */
    public String label() {
        return label;
    }

    /** Records in a request that this limit rejects it. */
    public void attachTo(HttpServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    /** Returns the limit that rejected a request; empty if none did. */
    public static Optional<Limit> of(HttpServletRequest request) {
        return Optional.ofNullable((Limit) request.getAttribute(ATTRIBUTE));
    }
}
