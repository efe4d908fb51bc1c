package org.leasehold.gateway.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.NodeRoles;
import org.leasehold.gateway.NodeRoles.NodeRole;
import org.leasehold.gateway.request.EdgeErrors;
import org.leasehold.gateway.security.Policy.Rule;
import org.leasehold.gateway.security.Policy.Verdict;
import org.springframework.http.server.PathContainer;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ServletRequestPathUtils;

import java.io.IOException;

/** Applies the policy before any other code handles a request. */
final class PolicyFilter extends OncePerRequestFilter {

    private final Policy policy;
    private final NodeRoles here;
    private final EdgeErrors errors;
    private final Denials denials;

    PolicyFilter(Policy policy, NodeRoles here, EdgeErrors errors, Denials denials) {
        this.policy = policy;
        this.here = here;
        this.errors = errors;
        this.denials = denials;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        PathContainer path = ServletRequestPathUtils.parse(request).pathWithinApplication();
        switch (judge(request.getMethod(), path)) {
            case Verdict.Allowed allowed -> serve(allowed.rule(), path, request, response, chain);
            case Verdict.Denied denied -> {
                errors.denied(request, response, denied.rule().name(), why());
                if (who() instanceof Caller caller) {
                    denials.ofRole(caller, denied.rule(), request);
                }
            }
            case Verdict.Unidentified stranger -> errors.unauthenticated(request, response);
            case Verdict.NothingThere nothing -> errors.nothingThere(request, response);
            case Verdict.WrongMethod wrong ->
                    errors.wrongMethod(request, response, wrong.allowed());
        }
    }

    private void serve(
            Rule rule,
            PathContainer path,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws ServletException, IOException {
        NodeRole needed = rule.needs();
        if (needed != null && !here.roles().contains(needed)) {
            errors.servedElsewhere(request, response, needed);
            return;
        }
        chain.doFilter(request, response);
        if (response.getStatus() == HttpServletResponse.SC_NOT_FOUND
                && who() instanceof Caller caller) {
            denials.ofWhatWasNotFound(caller, rule, path, request);
        }
    }

    private static @Nullable Object who() {
        Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
        return authentication == null ? null : authentication.getPrincipal();
    }

    /** Returns the additional reason of a denial; null for none. */
    private static @Nullable String why() {
        return who() instanceof Outsider outsider ? outsider.why() : null;
    }

    private Verdict judge(String method, PathContainer path) {
        Object who = who();
        return who instanceof Outsider
                ? policy.judgeOutsider(method, path)
                : policy.judge(method, path, who instanceof Caller caller ? caller : null);
    }
}
