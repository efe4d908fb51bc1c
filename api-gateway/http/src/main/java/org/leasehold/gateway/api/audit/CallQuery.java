package org.leasehold.gateway.api.audit;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.PageSize;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.operation.CloudCalls.ListCalls;
import org.leasehold.vocabulary.LeaseId;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.RequestParam;

import java.time.Instant;
import java.util.UUID;

/** The query parameters of a search for calls of plug-ins. */
@ParameterObject
record CallQuery(
        @RequestParam(name = "lease", required = false) @Nullable UUID lease,
        @RequestParam(name = "resource", required = false) @Min(1) @Nullable Long resource,
        @RequestParam(name = "request", required = false) @Pattern(regexp = "req-[0-9a-f-]{36}")
                @Nullable String request,
        @RequestParam(name = "from", required = false) @Nullable Instant from,
        @RequestParam(name = "to", required = false) @Nullable Instant to,
        @RequestParam(name = "marker", required = false) @Nullable String marker,
        @RequestParam(name = "limit", defaultValue = "100") @Min(1) @Max(PageSize.MAX) int limit) {

    ListCalls question() {
        return new ListCalls(
                lease == null ? null : new LeaseId(lease),
                resource == null ? null : new ResourceId(resource),
                request,
                from,
                to,
                marker,
                limit);
    }
}
