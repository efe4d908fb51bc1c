package org.leasehold.gateway.api.audit;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import org.leasehold.gateway.api.audit.AuditResponses.AuditEvent;
import org.leasehold.gateway.api.audit.AuditResponses.AuditedEvent;
import org.leasehold.gateway.api.audit.AuditResponses.Call;
import org.leasehold.gateway.api.audit.AuditResponses.Chain;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.api.query.AnsweredFrom;
import org.leasehold.gateway.limits.LongRead;
import org.leasehold.gateway.security.Caller;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.audit.AuditTrail;
import org.leasehold.readmodel.audit.AuditTrail.Entry;
import org.leasehold.readmodel.operation.CloudCalls;
import org.leasehold.readmodel.operation.CloudCalls.CloudCall;
import org.leasehold.readmodel.operation.CloudCalls.ListCalls;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import java.util.ArrayList;
import java.util.List;

/** Routes for auditors about one event: its changes, its causes and its effects. */
@RestController
@Tag(name = "audit")
class AuditEventRoutes {

    /** The most events, and the most calls, of a chain. */
    private static final int MAX_CHAIN_LENGTH = 1000;

    private final AuditTrail trail;
    private final AuditRedaction redaction;
    private final EventDiffs diffs;
    private final CloudCalls calls;

    AuditEventRoutes(
            AuditTrail trail, AuditRedaction redaction, EventDiffs effects, CloudCalls calls) {
        this.trail = trail;
        this.redaction = redaction;
        this.diffs = effects;
        this.calls = calls;
    }

    @Operation(
            operationId = "showAuditEvent",
            summary = "Show an audit event and what it changed",
            description =
                    "For an event of a lease or a resource: the shown"
                            + " fields that it changed, with their old and new"
                            + " values. For an event of a property: whether it was"
                            + " hidden. Only administrators see hidden capabilities.")
    @GetMapping("/api/audit/events/{position}")
    AuditedEvent show(
            @AuthenticationPrincipal Caller caller, @PathVariable("position") long position) {
        Entry entry = find(position);
        JsonDiff changed = diffs.diff(entry, caller);
        return new AuditedEvent(redaction.redact(entry, caller), changed.before(), changed.after());
    }

    @Operation(
            operationId = "showAuditChain",
            summary = "Show the causal chain of an audit event",
            description =
                    "From the request, or the engine's own action, to the"
                            + " calls of plug-ins in the cloud. Each event is"
                            + " followed by the calls and the events that it caused.")
    @AnsweredFrom(AuditTrail.READ_MODEL)
    @LongRead
    @GetMapping("/api/audit/events/{position}/chain")
    Chain chain(@AuthenticationPrincipal Caller caller, @PathVariable("position") long position) {
        Entry entry = find(position);
        String request = entry.requestId();
        if (request == null) {
            AuditEvent alone = redaction.redact(entry, caller);
            return new Chain(null, true, CausalChain.of(List.of(alone), List.of()));
        }
        List<Entry> found = trail.findCausedBy(request, MAX_CHAIN_LENGTH + 1);
        List<AuditEvent> events =
                redaction.redact(found.stream().limit(MAX_CHAIN_LENGTH).toList(), caller);
        List<Call> made = new ArrayList<>();
        boolean all = collectCalls(request, made);
        return new Chain(
                request,
                all && found.size() <= MAX_CHAIN_LENGTH,
                CausalChain.of(events, made.reversed()));
    }

    /** Collects calls, newest first; returns whether these are all. */
    private boolean collectCalls(String request, List<Call> made) {
        String marker = null;
        do {
            Page<CloudCall> page =
                    calls.list(
                            new ListCalls(
                                    null,
                                    null,
                                    request,
                                    null,
                                    null,
                                    marker,
                                    MAX_CHAIN_LENGTH - made.size()));
            page.items().stream().map(Call::of).forEach(made::add);
            marker = page.next();
        } while (marker != null && made.size() < MAX_CHAIN_LENGTH);
        return marker == null;
    }

    private Entry find(long position) {
        return trail.find(position)
                .orElseThrow(() -> new ProblemException(Problem.notFound("event")));
    }
}
