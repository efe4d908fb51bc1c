package org.leasehold.runtime.moving;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * All that Blazar's database holds, as of one moment; in its own words, whatever is wrong with it.
 *
 * @param revision of its schema
 */
record Blazar(
        String revision,
        List<Host> hosts,
        List<Property> properties,
        List<FloatingIp> floatingIps,
        List<Lease> leases) {

    /** When a row was made and last changed; null where it does not say. */
    record Dates(@Nullable Instant createdAt, @Nullable Instant updatedAt) {}

    /**
     * A compute host.
     *
     * @param attributes what Nova said of it, under the names that its API has for it
     * @param zone its availability zone; empty for none
     * @param inventory how much of which resource class may be reserved, other than what the
     *     attributes tell
     * @param traits those that it had when it was added
     */
    record Host(
            String id,
            @Nullable String name,
            Map<String, @Nullable Object> attributes,
            String zone,
            boolean reservable,
            Map<String, String> capabilities,
            Map<String, Long> inventory,
            List<String> traits) {}

    /** A name that capabilities of hosts have. */
    record Property(String kind, String name, boolean hidden) {}

    record FloatingIp(
            String id, String network, String subnet, String address, boolean reservable) {}

    /**
     * A lease.
     *
     * @param status its own word
     */
    record Lease(
            String id,
            String name,
            @Nullable String user,
            @Nullable String project,
            Instant start,
            Instant end,
            @Nullable String status,
            Dates dates,
            List<Reservation> reservations,
            List<Event> events) {}

    /**
     * A reservation.
     *
     * @param parameters what was asked for, under the names that its API has for it; null where its
     *     plugin has no row for it
     * @param cloudIds what its API says of the cloud's ids
     * @param hosts the ids of what it was given, each as often as it was given a slot there
     * @param floatingIps likewise
     */
    record Reservation(
            String id,
            String type,
            String status,
            boolean missingResources,
            boolean resourcesChanged,
            Dates dates,
            @Nullable Map<String, @Nullable Object> parameters,
            Map<String, Object> cloudIds,
            List<String> hosts,
            List<String> floatingIps) {}

    record Event(String id, String type, @Nullable Instant time, String status, Dates dates) {}
}
