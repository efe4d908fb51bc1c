package org.leasehold.resource.simulator.volume;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.simulator.CloudConnections;
import org.leasehold.resource.volume.VolumeType;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The simulated cloud's volumes, of types with limited room. */
public final class VolumeTable {

    private static final String FREE_GIB_QUERY =
            """
            SELECT t.gib - coalesce((SELECT sum(size) FROM volume v
                                     WHERE v.volume_type = t.name), 0)
            FROM volume_type t WHERE t.name = :type
            """;

    private final CloudConnections connections;

    public VolumeTable(CloudConnections connections) {
        this.connections = connections;
    }

    /** Returns the room left of a type; empty if there is no such type. */
    public Optional<VolumeType> type(String name) {
        return findFreeGib(name).map(free -> new VolumeType(name, free));
    }

    public List<SimulatedVolume> all() {
        return jdbc().sql("SELECT * FROM volume ORDER BY volume_type, name, id")
                .query(VolumeTable::volume)
                .list();
    }

    List<SimulatedVolume> findByReservation(ReservationId reservation) {
        return jdbc().sql(
                        "SELECT * FROM volume WHERE reservation = :reservation ORDER BY"
                                + " volume_type, name, id")
                .param("reservation", reservation.value())
                .query(VolumeTable::volume)
                .list();
    }

    public Optional<SimulatedVolume> find(UUID id) {
        return jdbc().sql("SELECT * FROM volume WHERE id = :id")
                .param("id", id)
                .query(VolumeTable::volume)
                .optional();
    }

    /** Creates a volume, within a transaction; does nothing if there is no room. */
    public int create(SimulatedVolume volume) {
        if (!hasRoom(volume.type(), volume.size())) {
            return 0;
        }
        ReservationId reservation = volume.reservation();
        return jdbc().sql(
                        """
                        INSERT INTO volume (id, volume_type, size, name, description, project,
                                            reservation)
                        VALUES (:id, :type, :size, :name, :description, :project,
                                CAST(:reservation AS uuid))
                        """)
                .param("id", volume.id())
                .param("type", volume.type())
                .param("size", volume.size())
                .param("name", volume.name())
                .param("description", volume.description())
                .param("project", volume.project().value())
                .param("reservation", reservation == null ? null : reservation.toString())
                .update();
    }

    /** Extends a volume, within a transaction; does nothing if there is no room. */
    int extend(SimulatedVolume volume, int size) {
        return hasRoom(volume.type(), size - volume.size())
                ? jdbc().sql("UPDATE volume SET size = :size WHERE id = :id")
                        .param("size", size)
                        .param("id", volume.id())
                        .update()
                : 0;
    }

    /** Changes the reservation that has a volume, if {@code from} still has it; null for none. */
    int changeReservation(UUID id, @Nullable ReservationId from, @Nullable ReservationId to) {
        return jdbc().sql(
                        """
                        UPDATE volume SET reservation = CAST(:to AS uuid)
                        WHERE id = :id AND reservation IS NOT DISTINCT FROM CAST(:from AS uuid)
                        """)
                .param("to", to == null ? null : to.toString())
                .param("id", id)
                .param("from", from == null ? null : from.toString())
                .update();
    }

    public int setAttached(UUID id, boolean attached) {
        return jdbc().sql("UPDATE volume SET attached = :attached WHERE id = :id")
                .param("attached", attached)
                .param("id", id)
                .update();
    }

    int delete(UUID id) {
        return jdbc().sql("DELETE FROM volume WHERE id = :id").param("id", id).update();
    }

    int createSnapshot(UUID volume, ReservationId reservation) {
        return jdbc().sql(
                        """
                        INSERT INTO volume_snapshot (volume, reservation)
                        VALUES (:volume, :reservation) ON CONFLICT DO NOTHING
                        """)
                .param("volume", volume)
                .param("reservation", reservation.value())
                .update();
    }

    public List<ReservationId> snapshots(UUID volume) {
        return jdbc()
                .sql("SELECT reservation FROM volume_snapshot WHERE volume = :volume ORDER BY 1")
                .param("volume", volume)
                .query(UUID.class)
                .list()
                .stream()
                .map(ReservationId::new)
                .toList();
    }

    /** Returns whether a type has room; locks the type until the end of the transaction. */
    private boolean hasRoom(String type, int more) {
        jdbc().sql("SELECT name FROM volume_type WHERE name = :type FOR UPDATE")
                .param("type", type)
                .query(String.class)
                .list();
        return findFreeGib(type).filter(free -> free >= more).isPresent();
    }

    private Optional<Long> findFreeGib(String type) {
        return jdbc().sql(FREE_GIB_QUERY).param("type", type).query(Long.class).optional();
    }

    private static SimulatedVolume volume(ResultSet row, int number) throws SQLException {
        UUID reservation = row.getObject("reservation", UUID.class);
        return new SimulatedVolume(
                row.getObject("id", UUID.class),
                row.getString("volume_type"),
                row.getInt("size"),
                row.getString("name"),
                row.getString("description"),
                new ProjectId(row.getString("project")),
                row.getBoolean("attached"),
                reservation == null ? null : new ReservationId(reservation));
    }

    private JdbcClient jdbc() {
        return connections.jdbc();
    }
}
