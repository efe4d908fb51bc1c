package org.leasehold.gateway.api.usage;

import static java.lang.Boolean.FALSE;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.PageSize;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.RequestParam;

import java.time.Instant;

/** The query parameters of a query of charges. */
@ParameterObject
record ChargeQuery(
        @RequestParam(name = "project", required = false) @Size(max = 255) @Nullable String project,
        @RequestParam(name = "by", required = false) @Nullable ChargeGrouping by,
        @RequestParam(name = "lines", required = false) @Nullable Boolean lines,
        @RequestParam(name = "from", required = false) @Nullable Instant from,
        @RequestParam(name = "to", required = false) @Nullable Instant to,
        @RequestParam(name = "as_of", required = false) @Nullable Instant asOf,
        @RequestParam(name = "marker", required = false) @Nullable String marker,
        @RequestParam(name = "limit", defaultValue = "100") @Min(1) @Max(PageSize.MAX) int limit) {

    /** Returns what the sums are of; null if the lines are requested. */
    @Nullable ChargeGrouping sums() {
        return by == null && FALSE.equals(lines) ? ChargeGrouping.LEASE : by;
    }
}
