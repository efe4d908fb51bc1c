package org.leasehold.gateway.v1.lease;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.leasehold.gateway.limits.BulkReadPacer;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.v1.http.V1Exception;
import org.leasehold.gateway.v1.http.V1Json;
import org.leasehold.gateway.v1.http.V1Query;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.leasehold.wire.blazar.LeaseRendering;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.core.JsonGenerator;

import java.io.IOException;
import java.util.Set;

/** The list of leases, which has no limit by default. */
@RestController
class LeaseListEndpoints {

    /** About 1 MB. */
    private static final int CHUNK_SIZE = 500;

    private final Leases leases;
    private final RenderedLeaseCache renderedCache;
    private final BulkReadPacer pacer;

    LeaseListEndpoints(Leases leases, LeaseRendering rendering, BulkReadPacer pacer) {
        this.leases = leases;
        this.renderedCache = new RenderedLeaseCache(rendering);
        this.pacer = pacer;
    }

    /**
     * Writes chunk after chunk, so that a long list does not have to fit into memory. It holds no
     * connection to the database while it writes a chunk: a slow client delays only itself. Starts
     * and ends of leases have precedence.
     */
    @GetMapping("/v1/leases")
    void list(
            @AuthenticationPrincipal Caller caller,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        V1Query query = new V1Query(request);
        Integer limit = query.limit();
        BulkReadPacer.Pace pace = pacer.begin();
        ListLeases question = leaseQuery(caller, query, limit == null ? CHUNK_SIZE : limit);
        Page<LeaseView> page = first(question);
        if (limit != null && page.next() != null) {
            String last = page.items().getLast().id().toString();
            response.setHeader(HttpHeaders.LINK, query.nextPageLink(last));
        }
        response.setContentType(MediaType.APPLICATION_JSON_VALUE);
        JsonGenerator out = V1Json.createGenerator(response.getOutputStream());
        out.writeStartObject();
        out.writeArrayPropertyStart("leases");
        write(page, out);
        String next = limit == null ? page.next() : null;
        while (next != null) {
            pace.awaitNextPart();
            page = leases.list(question.after(next));
            write(page, out);
            next = page.next();
        }
        out.writeEndArray();
        out.writeEndObject();
        // Not closed after a failed read: closing would make half a list look complete.
        out.close();
    }

    private static Set<LeaseStatus> parseStatus(String status) {
        Set<LeaseStatus> statuses = LeaseRendering.statusesShownAs(status);
        if (statuses.isEmpty()) {
            throw V1Exception.malformedParameter("status");
        }
        return statuses;
    }

    private static ListLeases leaseQuery(Caller caller, V1Query query, int limit) {
        String status = query.parameter("status");
        return new ListLeases(
                caller.readScope(),
                status == null ? Set.of() : parseStatus(status),
                query.parameter("name"),
                query.direction("created_at"),
                query.marker(),
                limit);
    }

    private Page<LeaseView> first(ListLeases question) {
        try {
            return leases.list(question);
        } catch (UnknownMarker noMarker) {
            throw V1Query.invalidMarker();
        }
    }

    private void write(Page<LeaseView> page, JsonGenerator out) {
        page.items().forEach(lease -> out.writeRawValue(renderedCache.renderedText(lease)));
    }
}
