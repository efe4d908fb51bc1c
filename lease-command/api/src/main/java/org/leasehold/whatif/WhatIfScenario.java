package org.leasehold.whatif;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A what-if scenario: its changes, and the window of the comparison.
 *
 * @param from the start of the changes; inclusive
 * @param to the end, exclusive; later decisions are not replayed
 * @param longest the longest allowed window; longer requests are refused; null for no such rule
 * @param demand the requests in this scenario, in percent of the recorded ones
 * @param listed the maximum number of listed leases with a different outcome
 */
public record WhatIfScenario(
        Instant from,
        Instant to,
        List<More> more,
        List<Lost> lost,
        @Nullable Duration longest,
        int demand,
        int listed) {

    /** The demand of as many requests as recorded, in percent. */
    public static final int UNCHANGED_DEMAND = 100;

    /** Creates the unchanged scenario. */
    public static WhatIfScenario ofUnchanged(Instant from, Instant to, int listed) {
        return new WhatIfScenario(from, to, List.of(), List.of(), null, UNCHANGED_DEMAND, listed);
    }

    public WhatIfScenario {
        more = List.copyOf(more);
        lost = List.copyOf(lost);
    }

    /** Returns true if the scenario is unchanged. */
    public boolean isUnchanged() {
        return more.isEmpty() && lost.isEmpty() && longest == null && demand == UNCHANGED_DEMAND;
    }

    /**
     * Additional resources of a kind.
     *
     * @param like an existing resource whose zone and properties they copy; null for none
     * @param zone the zone; null for the zone of {@code like}
     * @param properties properties that add to those of {@code like} or replace them
     * @param from the time of enrolment
     */
    public record More(
            int count,
            ResourceKind kind,
            @Nullable ResourceId like,
            @Nullable String zone,
            Map<String, String> properties,
            Instant from) {

        public More {
            properties = Collections.unmodifiableMap(new TreeMap<>(properties));
        }
    }

    /**
     * Resources that are out of service for good; later resources like them never serve either.
     *
     * @param zone the zone; null for any
     */
    public record Lost(
            ResourceKind kind, @Nullable String zone, Requirement requirement, Instant from) {}
}
