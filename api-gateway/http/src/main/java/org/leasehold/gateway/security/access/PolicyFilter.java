package org.leasehold.gateway.security.access;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.NodeRoles;
import org.leasehold.gateway.NodeRoles.NodeRole;
import org.leasehold.gateway.request.error.ErrorResponseWriter;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.UserWithoutRole;
import org.leasehold.gateway.security.access.AccessPolicy.Rule;
import org.leasehold.gateway.security.access.AccessPolicy.Verdict;
import org.springframework.http.server.PathContainer;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ServletRequestPathUtils;

import java.io.IOException;

/** Applies the policy before any other code handles a request. */
final class PolicyFilter extends OncePerRequestFilter {

    private final AccessPolicy policy;
    private final NodeRoles nodeRoles;
    private final ErrorResponseWriter errors;
    private final DenialRecorder denials;
    private final PrivilegedReadRecorder reads;

    PolicyFilter(
            AccessPolicy policy,
            NodeRoles here,
            ErrorResponseWriter errors,
            DenialRecorder denials,
            PrivilegedReadRecorder reads) {
        this.policy = policy;
        this.nodeRoles = here;
        this.errors = errors;
        this.denials = denials;
        this.reads = reads;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        PathContainer path = ServletRequestPathUtils.parse(request).pathWithinApplication();
        switch (judge(request.getMethod(), path)) {
            case Verdict.Allowed allowed -> serve(allowed.rule(), path, request, response, chain);
            case Verdict.Denied denied -> {
                errors.writeForbidden(request, response, denied.rule().name(), denialReason());
                if (principal() instanceof Caller caller) {
                    denials.recordRoleDenial(caller, denied.rule(), request);
                }
            }
            case Verdict.Unidentified stranger -> errors.writeUnauthenticated(request, response);
            case Verdict.NothingThere nothing -> errors.writeNotFound(request, response);
            case Verdict.WrongMethod wrong ->
                    errors.writeMethodNotAllowed(request, response, wrong.allowed());
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
        if (needed != null && !nodeRoles.roles().contains(needed)) {
            errors.writeMissingNodeRole(request, response, needed);
            return;
        }
        boolean isServed = false;
        try {
            chain.doFilter(request, response);
            isServed = true;
        } finally {
            // The client of a download that broke off has its beginning.
            if (isServed || response.isCommitted()) {
                record(rule, path, request, response);
            }
        }
    }

    private void record(
            Rule rule,
            PathContainer path,
            HttpServletRequest request,
            HttpServletResponse response) {
        if (!(principal() instanceof Caller caller)) {
            return;
        }
        int status = response.getStatus();
        if (status == HttpServletResponse.SC_NOT_FOUND) {
            denials.recordIfOfOtherProject(caller, rule, path, request);
        } else if (status < HttpServletResponse.SC_BAD_REQUEST) {
            reads.recordIfPrivileged(caller, rule, request);
        }
    }

    private static @Nullable Object principal() {
        Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
        return authentication == null ? null : authentication.getPrincipal();
    }

    /** Returns the additional reason of a denial; null for none. */
    private static @Nullable String denialReason() {
        return principal() instanceof UserWithoutRole outsider ? outsider.why() : null;
    }

    private Verdict judge(String method, PathContainer path) {
        Object who = principal();
        return who instanceof UserWithoutRole
                ? policy.evaluateWithoutRole(method, path)
                : policy.evaluate(method, path, who instanceof Caller caller ? caller : null);
    }
}
