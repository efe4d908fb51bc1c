package org.leasehold.gateway.api.lease;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.NextPageLink;
import org.leasehold.gateway.api.lease.LeaseResponses.History;
import org.leasehold.gateway.api.lease.LeaseResponses.HistoryEvent;
import org.leasehold.gateway.api.lease.LeaseResponses.LeasePage;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.api.query.AsOfResolver;
import org.leasehold.gateway.limits.LongRead;
import org.leasehold.gateway.request.header.EntityTags;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.lease.HistoryEntry;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.wire.lease.LeaseDocuments.Lease;
import org.leasehold.wire.lease.LeaseStage;
import org.leasehold.wire.lease.PluginRendering;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Queries of leases. */
@RestController
@Tag(name = "leases")
class LeaseRoutes {

    private final Leases leases;
    private final PluginRendering plugins;
    private final AsOfResolver asOfResolver;
    private final CloudWaitExplanation waitExplanation;

    LeaseRoutes(
            Leases leases, PluginRendering plugins, AsOfResolver past, CloudWaitExplanation waits) {
        this.leases = leases;
        this.plugins = plugins;
        this.asOfResolver = past;
        this.waitExplanation = waits;
    }

    @Operation(
            operationId = "listLeases",
            summary = "List leases",
            description =
                    "In order of their creation; or, with as_of, as they"
                            + " were known then, including leases that were deleted"
                            + " later. A page of the past is full unless it is the"
                            + " last one, or very many leases have another status."
                            + " The Link header with rel=next leads to the next page.")
    @LongRead(with = "as_of")
    @GetMapping("/api/leases")
    ResponseEntity<LeasePage> list(
            @AuthenticationPrincipal Caller caller,
            @RequestParam(name = "status", required = false) @Nullable LeaseStage status,
            @RequestParam(name = "as_of", required = false) @Nullable Instant asOf,
            @RequestParam(name = "marker", required = false) @Nullable String marker,
            @RequestParam(name = "limit", defaultValue = "100") @Min(1) @Max(1000) int limit,
            HttpServletRequest request,
            HttpServletResponse response) {
        Page<LeaseView> page =
                page(
                        new ListLeases(
                                caller.readScope(),
                                status == null ? Set.of() : Set.of(status.status()),
                                null,
                                SortDirection.ASCENDING,
                                marker,
                                limit),
                        asOfResolver.resolve(asOf, response, EventFeed.READ_MODEL).position());
        List<LeaseView> found = asOf == null ? waitExplanation.explain(page.items()) : page.items();
        var answer =
                new LeasePage(
                        found.stream().map(lease -> Lease.of(lease, plugins)).toList(),
                        page.next());
        String next = page.next();
        return next == null
                ? ResponseEntity.ok(answer)
                : ResponseEntity.ok()
                        .header(
                                HttpHeaders.LINK,
                                NextPageLink.link(request, Map.of("marker", next)))
                        .body(answer);
    }

    private Page<LeaseView> page(ListLeases question, @Nullable Long asOf) {
        return asOf == null ? leases.list(question) : leases.list(question, asOf);
    }

    @Operation(
            operationId = "showLease",
            summary = "Show a lease",
            description =
                    "As it is, with its entity tag; or, with as_of, as it"
                            + " was known then, also if it was deleted later.")
    @GetMapping("/api/leases/{id}")
    ResponseEntity<Lease> show(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") UUID id,
            @RequestParam(name = "as_of", required = false) @Nullable Instant asOf,
            HttpServletResponse response) {
        if (asOf == null) {
            LeaseView lease =
                    LeaseProblems.requireFound(leases.find(new LeaseId(id), caller.readScope()));
            return ResponseEntity.ok()
                    .eTag(EntityTags.of(lease))
                    .body(Lease.of(waitExplanation.explain(lease), plugins));
        }
        LeaseView lease =
                LeaseProblems.requireFound(
                        leases.find(
                                new LeaseId(id),
                                caller.readScope(),
                                asOfResolver.resolvePosition(asOf, response)));
        // A past state cannot be changed, so it has no tag for a change.
        return ResponseEntity.ok(Lease.of(lease, plugins));
    }

    @Operation(
            operationId = "showLeaseHistory",
            summary = "Show the history of a lease",
            description =
                    "Also of leases that were refused or deleted. Only"
                            + " administrators see what the inventory knew of the"
                            + " resources then.")
    @GetMapping("/api/leases/{id}/history")
    History history(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") UUID id,
            @RequestParam(name = "as_of", required = false) @Nullable Instant asOf,
            HttpServletResponse response) {
        long last = asOf == null ? Long.MAX_VALUE : asOfResolver.resolvePosition(asOf, response);
        List<HistoryEntry> entries =
                leases.history(new LeaseId(id), caller.readScope()).stream()
                        .filter(entry -> entry.position() <= last)
                        .toList();
        if (entries.isEmpty()) {
            throw new ProblemException(Problem.notFound("lease"));
        }
        boolean inventoryToo = caller.hasRole(Role.ADMIN);
        return new History(
                entries.stream()
                        .map(
                                entry ->
                                        HistoryEvent.of(
                                                entry, inventoryToo, plugins::redactParameters))
                        .toList());
    }
}
