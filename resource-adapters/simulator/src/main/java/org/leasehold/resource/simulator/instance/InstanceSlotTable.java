package org.leasehold.resource.simulator.instance;

import org.leasehold.lease.Fault;
import org.leasehold.resource.instance.Flavor;
import org.leasehold.resource.simulator.CloudConnections;
import org.leasehold.resource.simulator.SimulatedCloudException;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The flavors of reservations, and the number of their slots on each host. */
final class InstanceSlotTable {

    private final CloudConnections connections;

    InstanceSlotTable(CloudConnections connections) {
        this.connections = connections;
    }

    boolean hasFlavor(ReservationId reservation) {
        return jdbc().sql("SELECT count(*) > 0 FROM flavor WHERE reservation = :reservation")
                .param("reservation", reservation.value())
                .query(Boolean.class)
                .single();
    }

    /** Returns the reservations with a flavor, which is created first and deleted last. */
    List<ReservationId> reservationsWithFlavor() {
        return jdbc()
                .sql("SELECT reservation FROM flavor ORDER BY reservation")
                .query(UUID.class)
                .list()
                .stream()
                .map(ReservationId::new)
                .toList();
    }

    /** Creates the flavor; its disk is the sum of the source's disk and ephemeral disk. */
    int createFlavor(ReservationId reservation, ProjectId project, Flavor source) {
        return jdbc().sql(
                        """
                        INSERT INTO flavor (reservation, project, vcpus, memory_mb, disk_gb)
                        VALUES (:reservation, :project, :vcpus, :memory, :disk)
                        ON CONFLICT DO NOTHING
                        """)
                .param("reservation", reservation.value())
                .param("project", project.value())
                .param("vcpus", source.vcpus())
                .param("memory", source.memoryMb())
                .param("disk", source.diskGb() + source.ephemeralGb())
                .update();
    }

    int deleteFlavor(ReservationId reservation) {
        return jdbc().sql("DELETE FROM flavor WHERE reservation = :reservation")
                .param("reservation", reservation.value())
                .update();
    }

    /** Returns the slots of a reservation by host. */
    Map<String, Integer> slotsByHost(ReservationId reservation) {
        Map<String, Integer> slots = new LinkedHashMap<>();
        jdbc().sql("SELECT host, slots FROM slots WHERE reservation = :reservation ORDER BY host")
                .param("reservation", reservation.value())
                .query(
                        (RowCallbackHandler)
                                row -> slots.put(row.getString("host"), row.getInt("slots")));
        return slots;
    }

    /**
     * Sets the reservation's slots on a host, which is locked. The cloud itself rejects slots that
     * do not fit, or a host that one reservation has as a whole.
     */
    int setSlots(ReservationId reservation, String host, int count) {
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

    int clearSlots(ReservationId reservation, String host) {
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
            // A host that was enrolled or released a moment ago may not be in the pool yet.
            throw new SimulatedCloudException(
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
            throw SimulatedCloudException.insufficientResources(host, "is down or has no room");
        }
    }

    private JdbcClient jdbc() {
        return connections.jdbc();
    }
}
