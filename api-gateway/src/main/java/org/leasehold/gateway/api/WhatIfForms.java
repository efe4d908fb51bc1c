package org.leasehold.gateway.api;

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

/** What can be asked of worlds that are not. */
final class WhatIfForms {

    private WhatIfForms() {}

    /**
     * A world that is another one in a window; what is not said is as it was.
     *
     * @param from when it begins to be another one; thirty days before {@code to}, if it is not
     *     said
     * @param to what was decided later is left out; now, if it is not said
     * @param maximumDuration what is asked for longer than this is refused
     * @param demandPercent how many requests there are for a hundred that were
     * @param limit how many of the leases that came out otherwise are told, at most; 100, if it is
     *     not said
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
     * Further resources.
     *
     * @param like the number of one whose zone and properties they have
     * @param zone where they are
     * @param properties what they have, beside those of the one that they are like
     * @param from when they are enrolled; when the window begins, if it is not said
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
     * @param zone where they are; anywhere, if it is not said
     * @param requirement what they are like; all, if it is not said
     * @param from when they are lost; when the window begins, if it is not said
     */
    record LostResources(
            @NotBlank @Size(min = 1, max = 64) String kind,
            @Nullable @Size(max = 255) String zone,
            @Nullable @Size(max = 4000) String requirement,
            @Nullable Instant from) {}
}
