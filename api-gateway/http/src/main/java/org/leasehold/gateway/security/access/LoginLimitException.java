package org.leasehold.gateway.security.access;

import org.leasehold.gateway.limits.Limit;
import org.springframework.security.core.AuthenticationException;

import java.time.Duration;

/** An error for a login that is not checked now; its password may be right or wrong. */
final class LoginLimitException extends AuthenticationException {

    private static final long serialVersionUID = 1;

    private final Limit limit;
    private final int status;
    private final Duration retryAfter;

    private LoginLimitException(Limit limit, int status, String why, Duration retryAfter) {
        super(why);
        this.limit = limit;
        this.status = status;
        this.retryAfter = retryAfter;
    }

    /** Returns the error after too many failed logins from the same source. */
    static LoginLimitException tooManyFailures(Duration pause) {
        return new LoginLimitException(
                Limit.FAILED_LOGINS, 429, "Too many logins from your address have failed.", pause);
    }

    /** Returns the error while too many other passwords are being checked. */
    static LoginLimitException tooManyChecks() {
        return new LoginLimitException(
                Limit.PASSWORD_CHECKS,
                503,
                "Too many passwords are being checked.",
                Duration.ofSeconds(1));
    }

    Limit limit() {
        return limit;
    }

    int status() {
        return status;
    }

    /** Returns whole seconds, rounded up. */
    String retryAfter() {
        return Long.toString(Math.max(1, retryAfter.plusMillis(999).toSeconds()));
    }
}
