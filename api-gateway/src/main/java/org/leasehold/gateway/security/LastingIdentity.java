package org.leasehold.gateway.security;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.util.function.BooleanSupplier;

/** Tells of requests that last whether who sent them is still who they were. */
public final class LastingIdentity {

    private final @Nullable TokenFilter tokens;

    LastingIdentity(@Nullable TokenFilter tokens) {
        this.tokens = tokens;
    }

    /** To be asked now and then; what nobody can tell any more is not so. */
    public BooleanSupplier of(Caller caller, HttpServletRequest request) {
        String token = request.getHeader(TokenFilter.TOKEN);
        // A password is a setting: it is not taken back while the process lives.
        return tokens == null || token == null ? () -> true : asking(tokens, caller, token);
    }

    private static BooleanSupplier asking(TokenFilter tokens, Caller caller, String token) {
        return () -> tokens.isStill(caller, token);
    }
}
