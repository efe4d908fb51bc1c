package org.leasehold.gateway.security.access;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.leasehold.command.DenialLog.Why;
import org.leasehold.gateway.limits.Limit;
import org.leasehold.gateway.request.error.ErrorResponseWriter;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;

import java.io.IOException;
import java.util.Optional;

/** Answers requests without a valid login, and records failed logins for auditors. */
final class LoginEntryPoint implements AuthenticationEntryPoint {

    private final BasicAuthenticationProvider users;
    private final ErrorResponseWriter errors;
    private final DenialRecorder denials;

    LoginEntryPoint(
            BasicAuthenticationProvider users, ErrorResponseWriter errors, DenialRecorder denials) {
        this.users = users;
        this.errors = errors;
        this.denials = denials;
    }

    @Override
    public void commence(
            HttpServletRequest request,
            HttpServletResponse response,
            AuthenticationException failure)
            throws IOException {
        if (failure instanceof LoginLimitException refused) {
            response.setHeader(HttpHeaders.RETRY_AFTER, refused.retryAfter());
            refused.limit().attachTo(request);
            errors.writeError(
                    request, response, refused.status(), String.valueOf(refused.getMessage()));
        } else {
            errors.writeUnauthenticated(request, response);
        }
        // A header that could not be decoded is no login: it has neither a name nor a password.
        if (failure.getAuthenticationRequest()
                instanceof UsernamePasswordAuthenticationToken login) {
            denialReason(failure)
                    .ifPresent(
                            why ->
                                    denials.recordLoginDenial(
                                            why,
                                            users.findCaller(login.getName()).orElse(null),
                                            request));
        }
    }

    /** Returns why a login was denied; empty if the server had no capacity to check it. */
    private static Optional<Why> denialReason(AuthenticationException failure) {
        if (failure instanceof LoginLimitException refused) {
            return refused.limit() == Limit.FAILED_LOGINS
                    ? Optional.of(Why.LOGIN_THROTTLED)
                    : Optional.empty();
        }
        return failure instanceof BadCredentialsException
                ? Optional.of(Why.LOGIN_FAILED)
                : Optional.empty();
    }
}
