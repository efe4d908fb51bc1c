package org.leasehold.gateway.security.access;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.PrivilegedReadLog;
import org.leasehold.command.PrivilegedReadLog.Read;
import org.leasehold.gateway.command.CommandContextFactory;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.access.AccessPolicy.Rule;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Records reads of callers who see more than their project: who read what, with which filter. Only
 * actions that show data of projects count, whatever the response contains.
 */
final class PrivilegedReadRecorder implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(PrivilegedReadRecorder.class);

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
                    "leasehold:webhooks:get_dead",
                    "leasehold:what_if:post");

    /** Paths that show data of projects, although other paths of their action do not. */
    private static final Set<String> PATHS =
            Set.of(
                    "/api/operations/default-leases",
                    "/api/operations/drift",
                    "/api/operations/stuck");

    /** Public material: keys and signed heads name no project. */
    private static final Set<String> PUBLIC =
            Set.of("leasehold:audit:get_heads", "leasehold:audit:get_keys");

    /** Parameters that say which part of the result to send, not what to search for. */
    private static final Set<String> PAGING = Set.of("after", "limit", "marker", "wait");

    private static final int MAX_PATH_LENGTH = 255;
    private static final int MAX_FILTER_LENGTH = 1000;
    private static final int MAX_VALUE_LENGTH = 255;

    private final CommandContextFactory contexts;
    private final @Nullable PrivilegedReadLog log;
    private final RecordQueue queue = new RecordQueue("privileged reads");

    /**
     * @param log null on a node that only reads: its records are in its log alone
     */
    PrivilegedReadRecorder(CommandContextFactory contexts, @Nullable PrivilegedReadLog log) {
        this.contexts = contexts;
        this.log = log;
    }

    /** Records a request that was served, if it is a privileged read. */
    void recordIfPrivileged(Caller caller, Rule rule, HttpServletRequest request) {
        if (caller.readScope() != null || !showsProjects(rule)) {
            return;
        }
        Read read =
                new Read(
                        rule.name(),
                        cut(request.getServletPath(), MAX_PATH_LENGTH),
                        cut(filter(request.getParameterMap()), MAX_FILTER_LENGTH));
        PrivilegedReadLog reads = log;
        if (reads == null) {
            LOG.atInfo()
                    .addKeyValue("user", caller.user().value())
                    .addKeyValue("action", read.rule())
                    .addKeyValue("path", read.path())
                    .addKeyValue("filter", read.filter())
                    .log("A privileged read");
            return;
        }
        CommandContext context = contexts.forRequestWithoutCommand(caller, request);
        queue.add(() -> reads.record(read, context));
    }

    private static boolean showsProjects(Rule rule) {
        return ACTIONS.contains(rule.name())
                || PATHS.contains(rule.path().getPatternString())
                || (rule.name().startsWith(AUDIT) && !PUBLIC.contains(rule.name()));
    }

    /**
     * Returns the decoded parameters by name, without paging. So the pages of one search are one
     * record, and no encoding hides a value from a search.
     */
    private static String filter(Map<String, String[]> query) {
        return new TreeMap<>(query)
                .entrySet().stream()
                        .filter(parameter -> !PAGING.contains(parameter.getKey()))
                        .flatMap(
                                parameter ->
                                        Stream.of(parameter.getValue())
                                                .map(
                                                        value ->
                                                                parameter.getKey()
                                                                        + "="
                                                                        + cut(
                                                                                value,
                                                                                MAX_VALUE_LENGTH)))
                        .collect(Collectors.joining("&"))
                        // A column of text cannot hold it.
                        .replace('\0', ' ');
    }

    private static String cut(String text, int length) {
        return text.substring(0, Math.min(text.length(), length));
    }

    @Override
    public void destroy() throws InterruptedException {
        queue.close();
    }
}
