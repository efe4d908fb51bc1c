package org.leasehold.gateway.security.access;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.PrivilegedReadLog;
import org.leasehold.command.PrivilegedReadLog.Read;
import org.leasehold.gateway.command.CommandContextFactory;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.access.AccessPolicy.Rule;
import org.springframework.beans.factory.DisposableBean;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Records reads of callers who see more than their project: who read what, with which filter. Only
 * actions that show data of projects count, whatever the response contains.
 */
final class PrivilegedReadRecorder implements DisposableBean {

    /** A prefix of the actions that read the audit. */
    private static final String AUDIT = "leasehold:audit:get_";

    /** Actions that show data of projects, besides those of the audit. */
    private static final Set<String> ACTIONS =
            Set.of(
                    "blazar:leases:get",
                    "blazar:oshosts:get_allocations",
                    "leasehold:calendar:get",
                    "leasehold:charges:get",
                    "leasehold:charges:get_focus",
                    "leasehold:events:get",
                    "leasehold:leases:get",
                    "leasehold:leases:get_history",
                    "leasehold:refusals:get",
                    "leasehold:resources:get_allocations",
                    "leasehold:usage:get",
                    "leasehold:usage:get_idle",
                    "leasehold:webhooks:get",
                    "leasehold:webhooks:get_dead");

    /** Public material: keys and signed heads name no project. */
    private static final Set<String> PUBLIC =
            Set.of("leasehold:audit:get_heads", "leasehold:audit:get_keys");

    /** Parameters that say which part of the result to send, not what to search for. */
    private static final Set<String> PAGING = Set.of("after", "limit", "marker", "wait");

    private static final int MAX_PATH_LENGTH = 255;
    private static final int MAX_FILTER_LENGTH = 1000;

    private final CommandContextFactory contexts;
    private final @Nullable PrivilegedReadLog log;
    private final RecordQueue queue = new RecordQueue("privileged reads");

    /**
     * @param log null on a node that only reads: it cannot write records
     */
    PrivilegedReadRecorder(CommandContextFactory contexts, @Nullable PrivilegedReadLog log) {
        this.contexts = contexts;
        this.log = log;
    }

    /** Records a request that was served, if it is a privileged read. */
    void recordIfPrivileged(Caller caller, Rule rule, HttpServletRequest request) {
        PrivilegedReadLog reads = log;
        if (reads == null || caller.readScope() != null || !showsProjects(rule)) {
            return;
        }
        Read read =
                new Read(
                        rule.name(),
                        cut(request.getRequestURI(), MAX_PATH_LENGTH),
                        cut(filter(request.getQueryString()), MAX_FILTER_LENGTH));
        CommandContext context = contexts.forDeniedRequest(caller, request);
        queue.add(() -> reads.record(read, context));
    }

    private static boolean showsProjects(Rule rule) {
        return ACTIONS.contains(rule.name())
                || (rule.name().startsWith(AUDIT) && !PUBLIC.contains(rule.name()));
    }

    /** Returns the query without paging, so that the pages of one search are one record. */
    private static String filter(@Nullable String query) {
        return query == null
                ? ""
                : Stream.of(query.split("&"))
                        .filter(parameter -> !PAGING.contains(parameter.replaceFirst("=.*", "")))
                        .collect(Collectors.joining("&"));
    }

    private static String cut(String text, int length) {
        return text.substring(0, Math.min(text.length(), length));
    }

    @Override
    public void destroy() throws InterruptedException {
        queue.close();
    }
}
