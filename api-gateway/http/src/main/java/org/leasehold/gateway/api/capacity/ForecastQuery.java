package org.leasehold.gateway.api.capacity;

import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.capacity.Forecasts;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.RequestParam;

import java.math.BigDecimal;
import java.time.Instant;

/** The query parameters of a forecast. */
@ParameterObject
record ForecastQuery(
        @RequestParam(name = "kind") String kind,
        @RequestParam(name = "zone", required = false) @Size(max = 255) @Nullable String zone,
        @RequestParam(name = "requirement", required = false) @Nullable String requirement,
        @RequestParam(name = "weeks", defaultValue = "1")
                @Min(1)
                @Max(Forecasts.MAX_WEEKS_OF_GROWTH)
                int weeks,
        @RequestParam(name = "growth", required = false)
                @DecimalMin(MIN_GROWTH)
                @DecimalMax(MAX_GROWTH)
                @Nullable BigDecimal growth,
        @RequestParam(name = "as_of", required = false) @Nullable Instant asOf) {

    /** The smallest assumed growth, in percent a week. */
    static final String MIN_GROWTH = "-25";

    /** The largest one: in a year, it multiplies an amount by 100,000. */
    static final String MAX_GROWTH = "25";
}
