package org.leasehold.gateway.api.audit;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.leasehold.gateway.api.audit.AuditResponses.AuditEventPage;
import org.leasehold.gateway.api.event.EventTypeNames;
import org.leasehold.gateway.api.export.StreamedResults;
import org.leasehold.gateway.api.export.StreamedResults.Form;
import org.leasehold.gateway.api.http.NextPageLink;
import org.leasehold.gateway.api.http.PageQuery;
import org.leasehold.gateway.api.query.AnsweredFrom;
import org.leasehold.gateway.api.query.QueryWindow;
import org.leasehold.gateway.api.resource.PluginFacade;
import org.leasehold.gateway.limits.LongRead;
import org.leasehold.gateway.security.Caller;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.audit.AuditTrail;
import org.leasehold.readmodel.audit.AuditTrail.Filter;
import org.leasehold.readmodel.audit.AuditTrail.Search;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

import java.io.IOException;
import java.util.Set;
import java.util.UUID;

/** Routes with which auditors search all events. */
@RestController
@Tag(name = "audit")
class AuditSearchRoutes {

    private final AuditRedaction redaction;
    private final ResourceNameResolver resources;
    private final PluginFacade kinds;
    private final EventTypeNames eventTypes;

    AuditSearchRoutes(
            AuditRedaction redaction,
            AuditTrail trail,
            PluginFacade kinds,
            EventTypeNames eventTypes) {
        this.eventTypes = eventTypes;
        this.redaction = redaction;
        this.resources = new ResourceNameResolver(trail, kinds);
        this.kinds = kinds;
    }

    @Operation(
            operationId = "searchAuditEvents",
            summary = "Search audit events, newest first",
            description =
                    "Returns events that match all parameters: who did"
                            + " what, when, from where, why, and which event caused"
                            + " it. Find a resource by its number, a host also by its"
                            + " name, and other resources by resource_name, if"
                            + " necessary with their kind. A name finds all resources"
                            + " that ever had it. A page may have fewer events than"
                            + " its limit, or none, although a further page follows:"
                            + " rare events are searched in sections. The Link header"
                            + " with rel=next leads to the next page. With Accept:"
                            + " text/csv or application/x-ndjson, the response has"
                            + " all events as lines.")
    @AnsweredFrom(AuditTrail.READ_MODEL)
    @LongRead
    @GetMapping("/api/audit/events")
    ResponseEntity<AuditEventPage> search(
            @AuthenticationPrincipal Caller caller,
            @NotNull @Valid AuditEventQuery query,
            @NotNull @Valid PageQuery paging,
            HttpServletRequest asked) {
        Filter filter = filter(query);
        QueryWindow.requireOrdered(query.from(), query.to());
        AuditEventPage page =
                redaction.page(
                        new Search(
                                filter, query.from(), query.to(), paging.marker(), paging.limit()),
                        caller);
        return NextPageLink.response(asked, page, page.next());
    }

    @Operation(operationId = "streamAuditEvents", hidden = true)
    @AnsweredFrom(AuditTrail.READ_MODEL)
    @LongRead
    @GetMapping(
            path = "/api/audit/events",
            produces = {StreamedResults.CSV, StreamedResults.ND_JSON})
    void stream(
            @AuthenticationPrincipal Caller caller,
            @RequestHeader(HttpHeaders.ACCEPT) String accept,
            @NotNull @Valid AuditEventQuery query,
            HttpServletResponse response)
            throws IOException {
        Filter filter = filter(query);
        QueryWindow.requireOrdered(query.from(), query.to());
        redaction.stream(
                filter, query.from(), query.to(), Form.fromAcceptHeader(accept), caller, response);
    }

    private Filter filter(AuditEventQuery query) {
        UUID lease = query.lease();
        String kind = query.kind();
        String type = query.type();
        Set<ResourceId> named =
                resources.resolve(query.resource(), query.host(), query.resourceName(), kind);
        return new Filter(
                lease == null ? null : new LeaseId(lease),
                query.project(),
                query.user(),
                named,
                kind == null ? null : kinds.kind("kind", kind),
                type == null ? null : eventTypes.resolve("type", type),
                query.request(),
                AddressRangeParser.parse(query.address()));
    }
}
