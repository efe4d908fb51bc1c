package org.leasehold.gateway.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.leasehold.gateway.request.error.DatabaseOutage;
import org.leasehold.gateway.request.error.ErrorResponseWriter;
import org.leasehold.resource.identity.Identities.Validation;
import org.leasehold.resource.identity.Identity;
import org.leasehold.resource.identity.Identity.Scope;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Authenticates callers by their token. A caller without a valid one is anonymous, and the policy
 * says what they may do. It ignores other identity headers: Blazar's middleware makes them from the
 * token, but here they would be unverified.
 */
public final class TokenFilter extends OncePerRequestFilter {

    private static final Logger LOG = LoggerFactory.getLogger(TokenFilter.class);

    public static final String TOKEN = "X-Auth-Token";

    /** The name of this method of authentication. */
    static final String AUTHENTICATION_METHOD = "keystone";

    private final TokenCache tokens;
    private final KeystoneRoles roles;
    private final ErrorResponseWriter errors;

    TokenFilter(TokenCache tokens, KeystoneRoles roles, ErrorResponseWriter errors) {
        this.tokens = tokens;
        this.roles = roles;
        this.errors = errors;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String token = request.getHeader(TOKEN);
        if (token == null) {
            chain.doFilter(request, response);
            return;
        }
        switch (tokens.validate(token)) {
            case Validation.Valid(var identity) -> {
                if (AccessRules.isAllowed(identity, request)) {
                    principal(identity).ifPresent(TokenFilter::logIn);
                }
                chain.doFilter(request, response);
            }
            case Validation.Refused refused -> chain.doFilter(request, response);
            case Validation.Unknown(var fault) -> {
                LOG.atWarn()
                        .addKeyValue("fault", fault.message())
                        .log("A token could not be validated");
                response.setHeader(HttpHeaders.RETRY_AFTER, DatabaseOutage.RETRY_AFTER);
                errors.writeError(
                        request, response, 503, "The Keystone service is temporarily unavailable.");
            }
        }
    }

    /** Returns whether a token is still a caller's. */
    boolean isStillValid(Caller caller, String token) {
        return tokens.validate(token) instanceof Validation.Valid(var identity)
                && principal(identity).filter(caller::equals).isPresent();
    }

    /** Returns the principal; empty if the token is good for no request at all. */
    private Optional<Object> principal(Identity identity) {
        return switch (identity.scope()) {
            case Scope.Project(var id, var name) -> {
                Set<Role> here = roles.of(identity.roles());
                yield Optional.of(
                        here.isEmpty()
                                ? new UserWithoutRole(
                                        identity.user(), "no role of the token has a meaning here")
                                : new Caller(
                                        identity.user(),
                                        identity.userName(),
                                        id,
                                        name,
                                        here,
                                        AUTHENTICATION_METHOD));
            }
            case Scope.WholeSystem system -> {
                Set<Role> here = roles.ofSystemScope(identity.roles());
                yield Optional.of(
                        here.isEmpty()
                                ? new UserWithoutRole(
                                        identity.user(), "no role of the token reads in the system")
                                : Caller.ofSystem(identity.user(), identity.userName(), here));
            }
            case Scope.Domain domain ->
                    Optional.of(
                            new UserWithoutRole(
                                    identity.user(),
                                    "the token is of a domain, and nothing here is"));
            case Scope.Nowhere nowhere -> Optional.empty();
        };
    }

    private static void logIn(Object principal) {
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(
                UsernamePasswordAuthenticationToken.authenticated(principal, null, List.of()));
        SecurityContextHolder.setContext(context);
    }
}
