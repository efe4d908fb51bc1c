package org.leasehold.gateway.api.capacity;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.RequestParam;

import java.time.Duration;
import java.time.Instant;

/** The query parameters of a search for free windows. */
@ParameterObject
record AvailabilityQuery(
        @RequestParam(name = "kind") String kind,
        @RequestParam(name = "duration") Duration duration,
        @RequestParam(name = "minimum", defaultValue = "1") @Min(1) int minimum,
        @RequestParam(name = "maximum", required = false) @Min(1) @Nullable Integer maximum,
        @RequestParam(name = "requirement", required = false) @Nullable String requirement,
        @RequestParam(name = "earliest", required = false) @Nullable Instant earliest,
        @RequestParam(name = "horizon", required = false) @Nullable Instant horizon,
        @RequestParam(name = "limit", defaultValue = "10") @Min(1) @Max(AvailabilityQuery.MAX_LIMIT)
                int limit) {

    static final int MAX_LIMIT = 100;
}
