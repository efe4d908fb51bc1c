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
 * How the world is to be another one, and in which window that is looked at.
 *
 * @param from when it begins to be another one; inclusive
 * @param to exclusive; nothing that was decided later is replayed
 * @param longest what is asked for longer than this is refused; null for no such rule
 * @param demand how many requests there are for a hundred that were
 * @param listed how many of the leases that came out otherwise are told, at most
 */
public record World(
        Instant from,
        Instant to,
        List<More> more,
        List<Lost> lost,
        @Nullable Duration longest,
        int demand,
        int listed) {

    /** As many requests as there were. */
    public static final int AS_IT_WAS = 100;

    /** The one that was. */
    public static World asItWas(Instant from, Instant to, int listed) {
        return new World(from, to, List.of(), List.of(), null, AS_IT_WAS, listed);
    }

    public World {
        more = List.copyOf(more);
        lost = List.copyOf(lost);
    }

    /** Whether it is the one that was. */
    public boolean isUnchanged() {
        return more.isEmpty() && lost.isEmpty() && longest == null && demand == AS_IT_WAS;
    }

    /**
     * Further resources of a kind.
     *
     * @param like one that there is by then, whose zone and properties they have; null for none
     * @param zone where they are; null for where that one is
     * @param properties what they have beside those of that one, or otherwise
     * @param from when they are enrolled
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
     * Resources that are out of service for good, and those like them that come later never serve.
     *
     * @param zone where they are; null for anywhere
     */
    public record Lost(
            ResourceKind kind, @Nullable String zone, Requirement requirement, Instant from) {}
}
