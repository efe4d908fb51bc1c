package org.leasehold.resource.simulator;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The flavors of reservations, and how many slots of them which host has. */
final class ReservedSlots {

    private final CloudConnections connections;

    ReservedSlots(CloudConnections connections) {
        this.connections = connections;
    }

    /** How large the slots of a reservation are. */
    record Flavor(
            ReservationId reservation, ProjectId project, int vcpus, int memoryMb, int diskGb) {

        static Flavor of(
                ReservationId reservation,
                ProjectId project,
                Map<String, @Nullable Object> parameters) {
            return new Flavor(
                    reservation,
                    project,
                    size(parameters, "vcpus"),
                    size(parameters, "memory_mb"),
                    size(parameters, "disk_gb"));
        }

        private static int size(Map<String, @Nullable Object> parameters, String name) {
            return parameters.get(name) instanceof Number number ? number.intValue() : 0;
        }
    }

    boolean hasFlavor(ReservationId reservation) {
        return jdbc().sql("SELECT count(*) > 0 FROM flavor WHERE reservation = :reservation")
                .param("reservation", reservation.value())
                .query(Boolean.class)
                .single();
    }

    /**
     * The reservations that have a flavor, which is the first that is made and the last that goes.
     */
    List<ReservationId> flavors() {
        return jdbc()
                .sql("SELECT reservation FROM flavor ORDER BY reservation")
                .query(UUID.class)
                .list()
                .stream()
                .map(ReservationId::new)
                .toList();
    }

    int createFlavor(Flavor flavor) {
        return jdbc().sql(
                        """
                        INSERT INTO flavor (reservation, project, vcpus, memory_mb, disk_gb)
                        VALUES (:reservation, :project, :vcpus, :memory, :disk)
                        ON CONFLICT DO NOTHING
                        """)
                .param("reservation", flavor.reservation().value())
                .param("project", flavor.project().value())
                .param("vcpus", flavor.vcpus())
                .param("memory", flavor.memoryMb())
                .param("disk", flavor.diskGb())
                .update();
    }

    int deleteFlavor(ReservationId reservation) {
        return jdbc().sql("DELETE FROM flavor WHERE reservation = :reservation")
                .param("reservation", reservation.value())
                .update();
    }

    /** The slots of a reservation by host. */
    Map<String, Integer> of(ReservationId reservation) {
        Map<String, Integer> slots = new LinkedHashMap<>();
        jdbc().sql("SELECT host, slots FROM slots WHERE reservation = :reservation ORDER BY host")
                .param("reservation", reservation.value())
                .query(
                        (RowCallbackHandler)
                                row -> slots.put(row.getString("host"), row.getInt("slots")));
        return slots;
    }

    /**
     * Gives the reservation so many slots on a host, which is locked. The cloud itself refuses what
     * does not fit, or what is on a host that one reservation has for itself.
     */
    int set(ReservationId reservation, String host, int count) {
        int set =
                jdbc().sql(
                                """
                                INSERT INTO slots (reservation, host, slots)
                                VALUES (:reservation, :host, :count)
                                ON CONFLICT (reservation, host) DO UPDATE SET slots = :count
                                """)
                        .param("reservation", reservation.value())
                        .param("host", host)
                        .param("count", count)
                        .update();
        requirePool(host);
        requireRoom(host);
        return set;
    }

    int clear(ReservationId reservation, String host) {
        return jdbc().sql("DELETE FROM slots WHERE reservation = :reservation AND host = :host")
                .param("reservation", reservation.value())
                .param("host", host)
                .update();
    }

    private void requirePool(String host) {
        boolean inPoolOnly =
                jdbc().sql(
                                """
                                SELECT count(*) = 1 AND bool_and(aggregate = 'freepool')
                                FROM aggregate_host WHERE host = :host
                                """)
                        .param("host", host)
                        .query(Boolean.class)
                        .single();
        if (!inPoolOnly) {
            // A host that was enrolled or given back a moment ago is on its way into the pool.
            throw new CloudFailure(
                    Fault.Kind.RETRYABLE, "The host " + host + " is not in the freepool alone");
        }
    }

    private void requireRoom(String host) {
        boolean fits =
                jdbc().sql(
                                """
                                SELECT h.up AND sum(s.slots * f.vcpus::bigint) <= h.vcpus
                                    AND sum(s.slots * f.memory_mb::bigint) <= h.memory_mb
                                    AND sum(s.slots * f.disk_gb::bigint) <= h.local_gb
                                FROM host h JOIN slots s ON s.host = h.hypervisor_hostname
                                     JOIN flavor f USING (reservation)
                                WHERE h.hypervisor_hostname = :host
                                GROUP BY h.id
                                """)
                        .param("host", host)
                        .query(Boolean.class)
                        .single();
        if (!fits) {
            throw CloudFailure.lacks(host, "is down or has no room");
        }
    }

    private JdbcClient jdbc() {
        return connections.jdbc();
    }
}
