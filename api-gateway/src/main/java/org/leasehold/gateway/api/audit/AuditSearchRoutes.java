package org.leasehold.gateway.api.audit;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.audit.AuditResponses.AuditEventPage;
import org.leasehold.gateway.api.event.EventTypeNames;
import org.leasehold.gateway.api.export.StreamedResults;
import org.leasehold.gateway.api.export.StreamedResults.Form;
import org.leasehold.gateway.api.http.NextPageLink;
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
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Routes with which auditors search all events. */
@RestController
@Tag(name = "audit")
class AuditSearchRoutes {

    private static final String REQUEST_ID_PATTERN = "req-[0-9a-f-]{36}";

    private final AuditRedaction redaction;
    private final ResourceNameResolver resources;
    private final PluginFacade kinds;
    private final EventTypeNames eventTypes;

    AuditSearchRoutes(
            AuditRedaction telling, AuditTrail trail, PluginFacade kinds, EventTypeNames known) {
        this.eventTypes = known;
        this.redaction = telling;
        this.resources = new ResourceNameResolver(trail, kinds);
        this.kinds = kinds;
    }

    @Operation(
            operationId = "searchAuditEvents",
            summary =
                    "Tells who did what, when, from where, why and because of what, newest"
                            + " first",
            description =
                    "All of what is asked for has to be met. Resources are named by their number, a"
                        + " host also by its name, and others by resource_name, with their kind if"
                        + " need be; resources are found that ever had it. A page may have fewer"
                        + " events than its limit, or none, and be followed by another one: what is"
                        + " rare is looked for a stretch at a time. The Link header with rel=next"
                        + " leads to the following page. With Accept: text/csv or"
                        + " application/x-ndjson everything that is found comes as lines.")
    @AnsweredFrom(AuditTrail.READ_MODEL)
    @LongRead
    @GetMapping("/api/audit/events")
    ResponseEntity<AuditEventPage> search(
            @AuthenticationPrincipal Caller caller,
            @RequestParam(name = "lease", required = false) @Nullable UUID lease,
            @RequestParam(name = "project", required = false) @Size(max = 255)
                    @Nullable String project,
            @RequestParam(name = "user", required = false) @Size(max = 255) @Nullable String user,
            @RequestParam(name = "resource", required = false) @Min(1) @Nullable Long resource,
            @RequestParam(name = "host", required = false) @Size(max = 255) @Nullable String host,
            @RequestParam(name = "resource_name", required = false) @Size(max = 255)
                    @Nullable String resourceName,
            @RequestParam(name = "kind", required = false) @Nullable String kind,
            @RequestParam(name = "type", required = false)
                    @Pattern(regexp = EventTypeNames.NAME_PATTERN)
                    @Nullable String type,
            @RequestParam(name = "request", required = false) @Pattern(regexp = REQUEST_ID_PATTERN)
                    @Nullable String request,
            @RequestParam(name = "address", required = false) @Nullable String address,
            @RequestParam(name = "from", required = false) @Nullable Instant from,
            @RequestParam(name = "to", required = false) @Nullable Instant to,
            @RequestParam(name = "marker", required = false) @Nullable String marker,
            @RequestParam(name = "limit", defaultValue = "100") @Min(1) @Max(1000) int limit,
            HttpServletRequest asked) {
        Filter filter =
                filter(
                        lease,
                        project,
                        user,
                        resources.resolve(resource, host, resourceName, kind),
                        kind,
                        type,
                        request,
                        address);
        QueryWindow.requireOrdered(from, to);
        AuditEventPage page = redaction.page(new Search(filter, from, to, marker, limit), caller);
        String next = page.next();
        return next == null
                ? ResponseEntity.ok(page)
                : ResponseEntity.ok()
                        .header(HttpHeaders.LINK, NextPageLink.link(asked, Map.of("marker", next)))
                        .body(page);
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
            @RequestParam(name = "lease", required = false) @Nullable UUID lease,
            @RequestParam(name = "project", required = false) @Size(max = 255)
                    @Nullable String project,
            @RequestParam(name = "user", required = false) @Size(max = 255) @Nullable String user,
            @RequestParam(name = "resource", required = false) @Min(1) @Nullable Long resource,
            @RequestParam(name = "host", required = false) @Size(max = 255) @Nullable String host,
            @RequestParam(name = "resource_name", required = false) @Size(max = 255)
                    @Nullable String resourceName,
            @RequestParam(name = "kind", required = false) @Nullable String kind,
            @RequestParam(name = "type", required = false)
                    @Pattern(regexp = EventTypeNames.NAME_PATTERN)
                    @Nullable String type,
            @RequestParam(name = "request", required = false) @Pattern(regexp = REQUEST_ID_PATTERN)
                    @Nullable String request,
            @RequestParam(name = "address", required = false) @Nullable String address,
            @RequestParam(name = "from", required = false) @Nullable Instant from,
            @RequestParam(name = "to", required = false) @Nullable Instant to,
            HttpServletResponse response)
            throws IOException {
        Filter filter =
                filter(
                        lease,
                        project,
                        user,
                        resources.resolve(resource, host, resourceName, kind),
                        kind,
                        type,
                        request,
                        address);
        QueryWindow.requireOrdered(from, to);
        redaction.stream(filter, from, to, Form.fromAcceptHeader(accept), caller, response);
    }

    private Filter filter(
            @Nullable UUID lease,
            @Nullable String project,
            @Nullable String user,
            @Nullable Set<ResourceId> named,
            @Nullable String kind,
            @Nullable String type,
            @Nullable String request,
            @Nullable String address) {
        return new Filter(
                lease == null ? null : new LeaseId(lease),
                project,
                user,
                named,
                kind == null ? null : kinds.kind("kind", kind),
                type == null ? null : eventTypes.resolve("type", type),
                request,
                AddressRangeParser.parse(address));
    }
}
