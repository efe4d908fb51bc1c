package org.leasehold.gateway.security.access;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.DenialLog;
import org.leasehold.command.DenialLog.Why;
import org.leasehold.gateway.command.CommandContextFactory;
import org.leasehold.gateway.limits.RequestOwner;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.access.AccessPolicy.Rule;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.vocabulary.LeaseId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern.PathMatchInfo;

import java.util.Optional;
import java.util.UUID;

/**
 * Records denied attempts. Another thread does it, one after the other, and no request waits for
 * it: the time of no response, now or later, reveals whether a resource exists.
 */
final class DenialRecorder implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(DenialRecorder.class);

    /** A part of the names of all rules about leases. */
    private static final String LEASES = ":leases:";

    /** The longest target that a query accepts and an index can store. */
    private static final int MAX_TARGET_LENGTH = 255;

    /** The action of a login, which no rule of the policy is about. */
    private static final String LOGIN = "login";

    /** The target of a login. Its path is not stored: the path of a calendar feed is a secret. */
    private static final String NO_TARGET = "-";

    private final CommandContextFactory contexts;
    private final Leases leases;
    private final @Nullable DenialLog denialLog;
    private final LoginRecordLimiter loginRecords = new LoginRecordLimiter();
    private final RecordQueue queue = new RecordQueue("denied attempts");

    /**
     * @param kept null on a node that only reads: its denials are in its log alone
     */
    DenialRecorder(CommandContextFactory contexts, Leases leases, @Nullable DenialLog kept) {
        this.contexts = contexts;
        this.leases = leases;
        this.denialLog = kept;
    }

    /** Records that no role of a caller allows a request. */
    void recordRoleDenial(Caller caller, Rule rule, HttpServletRequest request) {
        CommandContext context = contexts.forRequestWithoutCommand(caller, request);
        String path = request.getRequestURI();
        String target = path.substring(0, Math.min(path.length(), MAX_TARGET_LENGTH));
        queue.add(() -> recordDenial(Why.ROLE, rule, target, context));
    }

    /** Records a 404 if the lease is another project's; the caller gets the same response then. */
    void recordIfOfOtherProject(
            Caller caller, Rule rule, PathContainer path, HttpServletRequest request) {
        if (caller.writeScope() == null || !rule.name().contains(LEASES)) {
            return;
        }
        CommandContext context = contexts.forRequestWithoutCommand(caller, request);
        lease(rule, path)
                .ifPresent(
                        id ->
                                queue.add(
                                        () -> {
                                            if (isOfOtherProject(id, caller)) {
                                                recordDenial(
                                                        Why.ANOTHER_PROJECT,
                                                        rule,
                                                        id.toString(),
                                                        context);
                                            }
                                        }));
    }

    /**
     * Records a login that failed or has to pause, up to a limit per minute: clients without a
     * login must not fill the table, or keep the database busy.
     *
     * @param claimed the user with the name of the login; null if no user has it
     */
    void recordLoginDenial(Why why, @Nullable Caller claimed, HttpServletRequest request) {
        DenialLog kept = denialLog;
        String address = RequestOwner.normalizeAddress(request.getRemoteAddr());
        if (kept != null && loginRecords.tryRecord(why, address, claimed != null, contexts.now())) {
            CommandContext context = contexts.forDeniedLogin(claimed, request);
            queue.add(() -> kept.record(why, LOGIN, NO_TARGET, context));
        }
    }

    private static Optional<LeaseId> lease(Rule rule, PathContainer path) {
        PathMatchInfo match = rule.path().matchAndExtract(path);
        String id = match == null ? null : match.getUriVariables().get("id");
        try {
            return Optional.ofNullable(id).map(UUID::fromString).map(LeaseId::new);
        } catch (IllegalArgumentException noId) {
            return Optional.empty();
        }
    }

    private boolean isOfOtherProject(LeaseId id, Caller caller) {
        return leases.find(id, null)
                .map(LeaseView::projectId)
                .filter(project -> !project.equals(caller.project()))
                .isPresent();
    }

    private void recordDenial(Why why, Rule rule, String target, CommandContext context) {
        LOG.info("{} of {} is denied {}", context.user(), context.project(), rule.name());
        if (denialLog != null) {
            denialLog.record(why, rule.name(), target, context);
        }
    }

    @Override
    public void destroy() throws InterruptedException {
        queue.close();
    }
}
