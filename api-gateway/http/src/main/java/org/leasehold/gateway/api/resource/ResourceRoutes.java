package org.leasehold.gateway.api.resource;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.FullPageQuery;
import org.leasehold.gateway.api.http.NextPageLink;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.api.resource.ResourceResponses.Allocations;
import org.leasehold.gateway.api.resource.ResourceResponses.Resource;
import org.leasehold.gateway.api.resource.ResourceResponses.ResourceAllocations;
import org.leasehold.gateway.api.resource.ResourceResponses.ResourceList;
import org.leasehold.gateway.limits.LongRead;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.PropertyRedaction;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.label.Labels;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.readmodel.resource.Resources.ListResources;
import org.leasehold.readmodel.resource.Resources.Part;
import org.leasehold.readmodel.resource.Resources.ResourceCalendar;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.time.Clock;

/** Queries of the resources that can be leased. */
@RestController
@Tag(name = "resources")
class ResourceRoutes {

    private final Resources resources;
    private final PropertyRedaction propertyRedaction;
    private final PluginFacade kinds;
    private final Labels labels;
    private final Clock clock;

    ResourceRoutes(
            Resources resources,
            PropertyRedaction hidden,
            PluginFacade kinds,
            Labels labels,
            Clock clock) {
        this.resources = resources;
        this.labels = labels;
        this.propertyRedaction = hidden;
        this.kinds = kinds;
        this.clock = clock;
    }

    @Operation(
            operationId = "listResources",
            summary = "List enrolled resources, by id, page by page",
            description =
                    "Hidden capabilities are for administrators only. Members and readers see"
                            + " neither the reason why a resource is out of service, nor the time"
                            + " of the last change. The Link header with rel=next leads to the"
                            + " following page.")
    @GetMapping("/api/resources")
    ResponseEntity<ResourceList> list(
            @AuthenticationPrincipal Caller caller,
            @RequestParam(name = "kind", required = false) @Nullable String kind,
            @NotNull @Valid FullPageQuery paging,
            HttpServletRequest request) {
        Part part =
                new Part(
                        SortDirection.ASCENDING,
                        paging.marker() == null
                                ? null
                                : Page.parseMarker(paging.marker(), ResourceRoutes::id),
                        paging.limit());
        Page<Resource> page =
                resources
                        .page(
                                new ListResources(
                                        kind == null ? null : kinds.kind("kind", kind), null, part))
                        .map(propertyRedaction.forResources(caller))
                        .map(Resource::of);
        return NextPageLink.response(request, page, ResourceList::new);
    }

    private static ResourceId id(String marker) {
        return new ResourceId(Long.parseLong(marker));
    }

    @Operation(
            operationId = "showResource",
            summary = "Show an enrolled resource",
            description = "Members and readers see as little of it as in the list.")
    @GetMapping("/api/resources/{id}")
    Resource show(@AuthenticationPrincipal Caller caller, @PathVariable("id") long id) {
        return ResourceIds.of(id)
                .flatMap(resources::find)
                .map(propertyRedaction.forResources(caller))
                .map(Resource::of)
                .orElseThrow(() -> new ProblemException(Problem.notFound("resource")));
    }

    @Operation(
            operationId = "listAllocations",
            summary = "List allocations by resource",
            description =
                    "A resource that no lease holds has an empty list of holds. Leases have their"
                            + " current names. The Link header with rel=next leads to the next"
                            + " page.")
    @LongRead
    @GetMapping("/api/resources/allocations")
    ResponseEntity<Allocations> allocations(
            @NotNull @Valid AllocationQuery query, HttpServletRequest request) {
        Page<ResourceCalendar> page =
                query.page(resources, kinds.kind("kind", query.kind()), clock.instant());
        return NextPageLink.response(
                request,
                new Allocations(ResourceAllocations.of(page.items(), labels), page.next()),
                page.next());
    }
}
