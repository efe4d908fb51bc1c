package org.leasehold.runtime.moving;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The whole content of Blazar's database at one moment; in Blazar's words, with all its errors.
 *
 * @param revision the revision of the schema
 */
record BlazarSnapshot(
        String revision,
        List<Host> hosts,
        List<Property> properties,
        List<FloatingIp> floatingIps,
        List<Lease> leases) {

    /** Times at which a row was created and last changed; null if unknown. */
    record Dates(@Nullable Instant createdAt, @Nullable Instant updatedAt) {}

    /**
     * A compute host.
     *
     * @param attributes Nova's values, under the names of its API
     * @param zone its availability zone; empty for none
     * @param inventory reservable amounts by resource class, except for those among the attributes
     * @param traits its traits when it was added
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

    /** A name of a capability of hosts. */
    record Property(String kind, String name, boolean hidden) {}

    record FloatingIp(
            String id, String network, String subnet, String address, boolean reservable) {}

    /**
     * A lease.
     *
     * @param status Blazar's word
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
     * @param parameters the requested parameters, under the names of Blazar's API; null if the
     *     plug-in has no row for it
     * @param cloudIds the ids in the cloud, as its API names them
     * @param hosts the ids of its hosts, once per slot
     * @param floatingIps the ids of its floating IPs, likewise
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
