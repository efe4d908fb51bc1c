package org.leasehold.gateway.api.lease;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.PageSize;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.RequestParam;

import java.time.Instant;

/** The query parameters of the history of a lease. */
@ParameterObject
record LeaseHistoryQuery(
        @RequestParam(name = "as_of", required = false) @Nullable Instant asOf,
        @RequestParam(name = "marker", required = false) @Pattern(regexp = "[0-9]{1,18}")
                @Nullable String marker,
        @RequestParam(name = "limit", defaultValue = "1000") @Min(1) @Max(PageSize.MAX) int limit) {

    /** Returns the number of the last event before the page; null for the first page. */
    @Nullable Long afterSequence() {
        return marker == null ? null : Long.valueOf(marker);
    }
}
