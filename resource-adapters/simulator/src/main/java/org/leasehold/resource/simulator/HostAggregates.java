package org.leasehold.resource.simulator;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Moves hosts between the pool and the reservations' aggregates.
 *
 * <p>A host joins where it goes to before it leaves where it comes from. Whatever a move that was
 * cut off has left is therefore found by looking into the reservation's own aggregate, and nothing
 * that another one owns is ever looked at. While it is in both nobody can boot a server on it, so
 * that deleting the servers then deletes them all.
 */
final class HostAggregates {

    static final String FREEPOOL = "freepool";

    private final JdbcClient jdbc;

    HostAggregates(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    boolean exists(ReservationId reservation) {
        return jdbc.sql("SELECT count(*) > 0 FROM aggregate WHERE name = :name")
                .param("name", reservation.toString())
                .query(Boolean.class)
                .single();
    }

    List<String> hostsOf(ReservationId reservation) {
        return jdbc.sql("SELECT host FROM aggregate_host WHERE aggregate = :name ORDER BY host")
                .param("name", reservation.toString())
                .query(String.class)
                .list();
    }

    void create(CloudCall call, ReservationId reservation, ProjectId project) {
        if (exists(reservation)) {
            return;
        }
        call.step(
                "create_aggregate",
                null,
                () ->
                        jdbc.sql(
                                        """
                                        INSERT INTO aggregate (name, zone, metadata) VALUES (
                                            :name, 'blazar_' || :name,
                                            jsonb_build_object('blazar:owner', CAST(:project AS text)))
                                        ON CONFLICT DO NOTHING
                                        """)
                                .param("name", reservation.toString())
                                .param("project", project.value())
                                .update());
    }

    void delete(CloudCall call, ReservationId reservation) {
        call.step(
                "delete_aggregate",
                null,
                () ->
                        jdbc.sql("DELETE FROM aggregate WHERE name = :name")
                                .param("name", reservation.toString())
                                .update());
    }

    /** Gives the reservation a host of the pool, with nobody's server on it. */
    void take(CloudCall call, ReservationId reservation, String host) {
        Whereabouts now = find(host, reservation).orElseThrow(() -> lacks(host, "does not exist"));
        if (now.inOwn() && !now.inPool()) {
            return;
        }
        if (!now.inOwn()) {
            if (now.otherOwner() != null) {
                throw lacks(host, "belongs to the reservation " + now.otherOwner());
            }
            if (!now.inPool()) {
                // A host that was enrolled a moment ago is on its way into the pool.
                throw new CloudFailure(
                        Fault.Kind.RETRYABLE, "The host " + host + " is not in the " + FREEPOOL);
            }
            if (!now.up()) {
                throw lacks(host, "is down");
            }
            call.step("add_host", host, () -> join(reservation.toString(), host, true));
        }
        deleteServers(call, host);
        call.step("leave_freepool", host, () -> leave(FREEPOOL, host));
    }

    /** Puts a host of the reservation back into the pool, with nobody's server on it. */
    void release(CloudCall call, ReservationId reservation, String host) {
        boolean inPool = find(host, reservation).map(Whereabouts::inPool).orElse(false);
        if (!inPool) {
            call.step("enter_freepool", host, () -> join(FREEPOOL, host, false));
        }
        deleteServers(call, host);
        call.step("remove_host", host, () -> leave(reservation.toString(), host));
    }

    /** Puts a host into the pool unless a reservation has it. */
    void enrol(CloudCall call, String host) {
        Whereabouts now =
                find(host, null)
                        .orElseThrow(
                                () ->
                                        new CloudFailure(
                                                Fault.Kind.PERMANENT,
                                                "The simulated cloud has no host " + host));
        if (!now.inPool() && now.otherOwner() == null) {
            call.step("enrol", host, () -> join(FREEPOOL, host, false));
        }
    }

    void retire(CloudCall call, String host) {
        if (find(host, null).map(Whereabouts::inPool).orElse(false)) {
            call.step("retire", host, () -> leave(FREEPOOL, host));
        }
    }

    private void deleteServers(CloudCall call, String host) {
        List<UUID> servers =
                jdbc.sql("SELECT id FROM server WHERE host = :host ORDER BY name, id")
                        .param("host", host)
                        .query(UUID.class)
                        .list();
        for (UUID server : servers) {
            call.step(
                    "delete_server",
                    host,
                    () ->
                            jdbc.sql("DELETE FROM server WHERE id = :id")
                                    .param("id", server)
                                    .update());
        }
    }

    private int join(String aggregate, String host, boolean zoned) {
        try {
            return jdbc.sql(
                            """
                            INSERT INTO aggregate_host (aggregate, host, zoned)
                            VALUES (:aggregate, :host, :zoned)
                            ON CONFLICT (aggregate, host) DO NOTHING
                            """)
                    .param("aggregate", aggregate)
                    .param("host", host)
                    .param("zoned", zoned)
                    .update();
        } catch (DuplicateKeyException inOtherZone) {
            throw lacks(host, "is in another availability zone");
        }
    }

    private int leave(String aggregate, String host) {
        return jdbc.sql("DELETE FROM aggregate_host WHERE aggregate = :aggregate AND host = :host")
                .param("aggregate", aggregate)
                .param("host", host)
                .update();
    }

    private Optional<Whereabouts> find(String host, @Nullable ReservationId reservation) {
        return jdbc.sql(
                        """
                        SELECT h.up,
                               coalesce(bool_or(a.aggregate = :pool), false) AS in_pool,
                               coalesce(bool_or(a.aggregate = :own), false) AS in_own,
                               min(a.aggregate) FILTER (WHERE a.aggregate NOT IN (:pool, :own))
                                   AS other_owner
                        FROM host h LEFT JOIN aggregate_host a ON a.host = h.hypervisor_hostname
                        WHERE h.hypervisor_hostname = :host
                        GROUP BY h.id
                        """)
                .param("host", host)
                .param("pool", FREEPOOL)
                .param("own", Objects.toString(reservation, ""))
                .query(
                        (row, number) ->
                                new Whereabouts(
                                        row.getBoolean("up"),
                                        row.getBoolean("in_pool"),
                                        row.getBoolean("in_own"),
                                        row.getString("other_owner")))
                .optional();
    }

    private static CloudFailure lacks(String host, String why) {
        return new CloudFailure(Fault.Kind.INSUFFICIENT_RESOURCES, "The host " + host + " " + why);
    }

    private record Whereabouts(
            boolean up, boolean inPool, boolean inOwn, @Nullable String otherOwner) {}
}
