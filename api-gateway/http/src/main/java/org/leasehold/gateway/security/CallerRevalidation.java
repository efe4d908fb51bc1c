package org.leasehold.gateway.security;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.util.function.BooleanSupplier;

/** Checks for long-running requests that the identity of their caller is still valid. */
public final class CallerRevalidation {

    private final @Nullable TokenFilter tokens;

    public CallerRevalidation(@Nullable TokenFilter tokens) {
        this.tokens = tokens;
    }

    /** Returns a check to call now and then; it is false if the identity is unknown. */
    public BooleanSupplier of(Caller caller, HttpServletRequest request) {
        String token = request.getHeader(TokenFilter.TOKEN);
        // A password is a setting: it stays valid while the process lives.
        return tokens == null || token == null ? () -> true : tokenCheck(tokens, caller, token);
    }

    private static BooleanSupplier tokenCheck(TokenFilter tokens, Caller caller, String token) {
        return () -> tokens.isStillValid(caller, token);
    }
}
