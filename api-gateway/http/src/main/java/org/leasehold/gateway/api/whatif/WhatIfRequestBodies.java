package org.leasehold.gateway.api.whatif;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Requests for what-if replays. */
public final class WhatIfRequestBodies {

    private WhatIfRequestBodies() {}

    /**
     * A scenario that differs in a window; fields that are left out change nothing.
     *
     * @param from the start of the difference; by default, thirty days before {@code to}
     * @param to later decisions are left out; by default, now
     * @param maximumDuration longer requests are refused
     * @param demandPercent the number of requests for each hundred that were recorded
     * @param limit the most leases with another decision that are returned; by default, 100
     */
    record AskedWorld(
            @Nullable Instant from,
            @Nullable Instant to,
            @Nullable @Size(max = 20) List<@Valid FurtherResources> more,
            @Nullable @Size(max = 20) List<@Valid LostResources> lost,
            @Nullable Duration maximumDuration,
            @Nullable @Min(0) @Max(1000) Integer demandPercent,
            @Nullable @Min(0) @Max(1000) Integer limit) {

        List<FurtherResources> givenMore() {
            return more == null ? List.of() : more;
        }

        List<LostResources> givenLost() {
            return lost == null ? List.of() : lost;
        }
    }

    /**
     * Additional resources.
     *
     * @param like the number of a resource whose zone and properties they have
     * @param zone their zone
     * @param properties their properties, in addition to those of {@code like}
     * @param from when they are enrolled; by default, at the start of the window
     */
    record FurtherResources(
            @NotBlank @Size(min = 1, max = 64) String kind,
            @NotNull @Min(1) @Max(10_000) Integer count,
            @Nullable @Min(1) @Max(Long.MAX_VALUE) Long like,
            @Nullable @Size(max = 255) String zone,
            @Nullable @Size(max = 100)
                    Map<@NotBlank @Size(min = 1, max = 64) String, @Size(max = 255) String>
                            properties,
            @Nullable Instant from) {

        Map<String, String> givenProperties() {
            return properties == null ? Map.of() : properties;
        }
    }

    /**
     * Resources that are out of service for good.
     *
     * @param zone their zone; by default, any
     * @param requirement their properties; by default, any
     * @param from when they are lost; by default, at the start of the window
     */
    record LostResources(
            @NotBlank @Size(min = 1, max = 64) String kind,
            @Nullable @Size(max = 255) String zone,
            @Nullable @Size(max = 4000) String requirement,
            @Nullable Instant from) {}
}
