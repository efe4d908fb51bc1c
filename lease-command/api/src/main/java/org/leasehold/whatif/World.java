package org.leasehold.whatif;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How the world is to be another one, and in which window that is looked at.
 *
 * @param from when it begins to be another one; inclusive
 * @param to exclusive; nothing that was decided later is replayed
 * @param longest what is asked for longer than this is refused; null for no such rule
 * @param demand how many requests there are for each that was: 1 for as many
 * @param listed how many of the leases that came out otherwise are told, at most
 */
public record World(
        Instant from,
        Instant to,
        List<More> more,
        List<Lost> lost,
        @Nullable Duration longest,
        BigDecimal demand,
        int listed) {

    public World {
        more = List.copyOf(more);
        lost = List.copyOf(lost);
    }

    /** Whether it is the one that was. */
    public boolean isUnchanged() {
        return more.isEmpty()
                && lost.isEmpty()
                && longest == null
                && demand.compareTo(BigDecimal.ONE) == 0;
    }

    /**
     * Further resources.
     *
     * @param from when they are enrolled
     */
    public record More(int count, Make make, Instant from) {}

    /** What a further resource is like. */
    public sealed interface Make {

        /** Like one that there is by then, but for its name. */
        record Like(ResourceId resource) implements Make {}

        /** See {@code EnrolResource} for what the components mean. */
        record Described(
                ResourceKind kind,
                @Nullable String zone,
                Map<String, @Nullable Object> attributes,
                Map<String, String> properties)
                implements Make {

            public Described {
                attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
                properties = Collections.unmodifiableMap(new TreeMap<>(properties));
            }
        }
    }

    /**
     * Resources that are out of service for good, and those like them that come later never serve.
     *
     * @param zone where they are; null for anywhere
     */
    public record Lost(
            ResourceKind kind, @Nullable String zone, Requirement requirement, Instant from) {}
}
