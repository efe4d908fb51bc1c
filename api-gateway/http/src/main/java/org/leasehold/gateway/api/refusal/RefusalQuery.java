package org.leasehold.gateway.api.refusal;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.refusal.Refusals;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.RequestParam;

import java.time.Instant;

/** The query parameters of a query of refusals. */
@ParameterObject
record RefusalQuery(
        @RequestParam(name = "project", required = false) @Size(max = 255) @Nullable String project,
        @RequestParam(name = "from", required = false) @Nullable Instant from,
        @RequestParam(name = "to", required = false) @Nullable Instant to,
        @RequestParam(name = "marker", required = false) @Nullable String marker,
        @RequestParam(name = "limit", defaultValue = "50") @Min(1) @Max(Refusals.MAX_PAGE_SIZE)
                int limit) {}
