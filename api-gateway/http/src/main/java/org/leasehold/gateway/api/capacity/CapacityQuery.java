package org.leasehold.gateway.api.capacity;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.RequestParam;

import java.time.Duration;
import java.time.Instant;

/** The query parameters of a query of capacity. */
@ParameterObject
record CapacityQuery(
        @RequestParam(name = "kind") String kind,
        @RequestParam(name = "zone", required = false) @Size(max = 255) @Nullable String zone,
        @RequestParam(name = "requirement", required = false) @Nullable String requirement,
        @RequestParam(name = "by", required = false) @Size(max = 255) @Nullable String by,
        @RequestParam(name = "from", required = false) @Nullable Instant from,
        @RequestParam(name = "to", required = false) @Nullable Instant to,
        @RequestParam(name = "bucket", required = false) @Nullable Duration bucket,
        @RequestParam(name = "wanted", defaultValue = "1") @Min(1) @Max(1_000_000) int wanted,
        @RequestParam(name = "as_of", required = false) @Nullable Instant asOf) {}
