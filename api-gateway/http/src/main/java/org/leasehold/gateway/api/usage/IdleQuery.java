package org.leasehold.gateway.api.usage;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.PageSize;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.RequestParam;

import java.time.Instant;

/** The query parameters of a query of idle leases. */
@ParameterObject
record IdleQuery(
        @RequestParam(name = "active", defaultValue = "false") boolean active,
        @RequestParam(name = "kind", required = false) @Nullable String kind,
        @RequestParam(name = "project", required = false) @Size(max = 255) @Nullable String project,
        @RequestParam(name = "from", required = false) @Nullable Instant from,
        @RequestParam(name = "to", required = false) @Nullable Instant to,
        @RequestParam(name = "as_of", required = false) @Nullable Instant asOf,
        @RequestParam(name = "marker", required = false) @Nullable String marker,
        @RequestParam(name = "limit", defaultValue = "100") @Min(1) @Max(PageSize.MAX) int limit) {}
