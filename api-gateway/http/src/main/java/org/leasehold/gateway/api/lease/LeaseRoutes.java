package org.leasehold.gateway.api.lease;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.NextPageLink;
import org.leasehold.gateway.api.lease.LeaseResponses.History;
import org.leasehold.gateway.api.lease.LeaseResponses.HistoryEvent;
import org.leasehold.gateway.api.lease.LeaseResponses.LeasePage;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.api.query.AnsweredFrom;
import org.leasehold.gateway.api.query.AsOfResolver;
import org.leasehold.gateway.api.resource.PluginFacade;
import org.leasehold.gateway.limits.LongRead;
import org.leasehold.gateway.request.header.EntityTags;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.calendar.BookingCalendar;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.lease.HistoryEntry;
import org.leasehold.readmodel.lease.LeaseFilter;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.Leases.HistoryPart;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.leasehold.wire.lease.LeaseDocuments.Lease;
import org.leasehold.wire.lease.PluginRendering;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Queries of leases. */
@RestController
@Tag(name = "leases")
class LeaseRoutes {

    private final Leases leases;
    private final PluginFacade kinds;
    private final PluginRendering plugins;
    private final AsOfResolver asOfResolver;
    private final CloudWaitExplanation waitExplanation;

    LeaseRoutes(
            Leases leases,
            PluginFacade kinds,
            PluginRendering plugins,
            AsOfResolver past,
            CloudWaitExplanation waits) {
        this.leases = leases;
        this.kinds = kinds;
        this.plugins = plugins;
        this.asOfResolver = past;
        this.waitExplanation = waits;
    }

    @Operation(
            operationId = "listLeases",
            summary = "List leases",
            description =
                    "As they are; or, with as_of, as they were known then, including leases that"
                            + " were deleted later. All filters apply together. as_of can be"
                            + " combined with project, status and the orders by creation. A page"
                            + " of the past is full unless it is the last one, or very many leases"
                            + " have another status. The Link header with rel=next leads to the"
                            + " next page. A marker is valid only with the same filters and the"
                            + " same order.")
    @LongRead(with = "as_of")
    @AnsweredFrom(value = BookingCalendar.READ_MODEL, with = "resource")
    @GetMapping("/api/leases")
    ResponseEntity<LeasePage> list(
            @AuthenticationPrincipal Caller caller,
            @NotNull @Valid LeaseListQuery query,
            HttpServletRequest request,
            HttpServletResponse response) {
        query.requireFeasible();
        ListLeases question =
                new ListLeases(
                        filter(caller, query),
                        query.order().order(),
                        query.marker(),
                        query.limit());
        Long position =
                asOfResolver.resolve(query.asOf(), response, EventFeed.READ_MODEL).position();
        Page<LeaseView> page =
                isForeign(query.project(), caller)
                        ? emptyPage(query.marker())
                        : page(question, position);
        List<LeaseView> found =
                position == null ? waitExplanation.explain(page.items()) : page.items();
        return NextPageLink.response(
                request,
                new LeasePage(
                        found.stream().map(lease -> Lease.of(lease, plugins)).toList(),
                        page.next()),
                page.next());
    }

    private static boolean isForeign(@Nullable String project, Caller caller) {
        ProjectId scope = caller.readScope();
        return project != null && scope != null && !scope.value().equals(project);
    }

    /** Returns the list of another project: nothing may show whether it has leases, or exists. */
    private static Page<LeaseView> emptyPage(@Nullable String marker) {
        if (marker != null) {
            // No page of this list has a next one.
            throw new UnknownMarker(marker);
        }
        return new Page<>(List.of(), null);
    }

    private LeaseFilter filter(Caller caller, LeaseListQuery query) {
        String project = query.project();
        String kind = query.kind();
        String user = query.user();
        Long resource = query.resource();
        ProjectId scope = caller.readScope();
        return new LeaseFilter(
                project == null || scope != null ? scope : new ProjectId(project),
                query.statuses(),
                null,
                query.name(),
                kind == null ? null : kinds.kind("kind", kind),
                user == null ? null : new UserId(user),
                resource == null ? null : new ResourceId(resource),
                query.startBefore(),
                query.endAfter());
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
                    "Also of leases that were refused or deleted. Only administrators see what the"
                            + " inventory knew of the resources then. The Link header with"
                            + " rel=next leads to the next page.")
    @GetMapping("/api/leases/{id}/history")
    ResponseEntity<History> history(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") UUID id,
            @NotNull @Valid LeaseHistoryQuery query,
            HttpServletRequest request,
            HttpServletResponse response) {
        Instant asOf = query.asOf();
        HistoryPart part =
                new HistoryPart(
                        query.afterSequence(),
                        asOf == null
                                ? Long.MAX_VALUE
                                : asOfResolver.resolvePosition(asOf, response),
                        query.limit());
        LeaseId lease = new LeaseId(id);
        Page<HistoryEntry> page = leases.history(lease, caller.readScope(), part);
        if (page.items().isEmpty() && !exists(lease, caller.readScope(), part)) {
            throw new ProblemException(Problem.notFound("lease"));
        }
        boolean inventoryToo = caller.hasRole(Role.ADMIN);
        return NextPageLink.response(
                request,
                new History(
                        page.items().stream()
                                .map(
                                        entry ->
                                                HistoryEvent.of(
                                                        entry,
                                                        inventoryToo,
                                                        plugins::redactParameters))
                                .toList(),
                        page.next()),
                page.next());
    }

    /** Returns whether a lease has any event that such a page may contain. */
    private boolean exists(LeaseId lease, @Nullable ProjectId project, HistoryPart part) {
        return part.after() != null
                && !leases.history(lease, project, new HistoryPart(null, part.upTo(), 1))
                        .items()
                        .isEmpty();
    }
}
