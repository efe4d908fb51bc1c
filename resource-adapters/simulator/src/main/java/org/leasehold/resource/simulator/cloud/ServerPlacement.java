package org.leasehold.resource.simulator.cloud;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.simulator.CloudConnections;
import org.leasehold.resource.simulator.HostTable;
import org.leasehold.resource.simulator.SimulatedHost.Server;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.Optional;

/**
 * The placement of new servers in the simulated cloud: it chooses a host as Nova's scheduler does,
 * and creates the server on it.
 */
final class ServerPlacement {

    private static final String CHOOSE_RESERVED_HOST =
            """
            SELECT h.hypervisor_hostname FROM host h
            JOIN aggregate_host own ON own.host = h.hypervisor_hostname
            JOIN aggregate a ON a.name = own.aggregate
            WHERE a.name = CAST(:reservation AS text)
              AND a.metadata ->> 'blazar:owner' = :project
              AND h.up
              AND NOT EXISTS (SELECT FROM aggregate_host pool
                              WHERE pool.host = own.host AND pool.aggregate = 'freepool')
            ORDER BY (SELECT count(*) FROM server s WHERE s.host = own.host), h.id
            LIMIT 1 FOR UPDATE OF h
            """;

    private static final String CHOOSE_POOL_HOST =
            """
            SELECT h.hypervisor_hostname FROM host h
            WHERE h.hypervisor_hostname = :host AND h.up
              AND (SELECT array_agg(a.aggregate) FROM aggregate_host a
                   WHERE a.host = h.hypervisor_hostname) = ARRAY['freepool']
            FOR UPDATE OF h
            """;

    private final CloudConnections connections;

    ServerPlacement(CloudConnections connections) {
        this.connections = connections;
    }

    /**
     * Boots a server as a user does, with the scheduler hint {@code reservation=<id>}.
     *
     * @return empty if the scheduler finds no host: the reservation has none, or is another
     *     project's
     */
    Optional<Server> boot(String name, ProjectId project, ReservationId reservation) {
        return insert(CHOOSE_RESERVED_HOST, new Boot(name, project, reservation, ""));
    }

    /**
     * Boots a server on a host of the pool; it is deleted if a lease needs the host.
     *
     * @return empty if the host is not in the pool
     */
    Optional<Server> bootPreemptible(String name, ProjectId project, String host) {
        return insert(CHOOSE_POOL_HOST, new Boot(name, project, null, host));
    }

    private Optional<Server> insert(String chooseHost, Boot boot) {
        return connections.inTransaction(
                () -> lockHost(chooseHost, boot).map(host -> insert(boot, host)));
    }

    /**
     * Repeats the choice until it is confirmed. A statement that waited for the host's lock has
     * seen the old aggregates. The next statement sees them as they are under the lock.
     */
    private Optional<String> lockHost(String chooseHost, Boot boot) {
        Optional<String> chosen = selectHost(chooseHost, boot);
        Optional<String> confirmed = selectHost(chooseHost, boot);
        while (!confirmed.equals(chosen)) {
            chosen = confirmed;
            confirmed = selectHost(chooseHost, boot);
        }
        return confirmed;
    }

    private Optional<String> selectHost(String chooseHost, Boot boot) {
        JdbcClient.StatementSpec query = connections.jdbc().sql(chooseHost);
        if (boot.reservation() == null) {
            return query.param("host", boot.host()).query(String.class).optional();
        }
        return query.param("reservation", boot.reservation().toString())
                .param("project", boot.project().value())
                .query(String.class)
                .optional();
    }

    private Server insert(Boot boot, String host) {
        return connections
                .jdbc()
                .sql(
                        """
                        INSERT INTO server (name, project, host, reservation)
                        VALUES (:name, :project, :host, CAST(:reservation AS uuid)) RETURNING *
                        """)
                .param("name", boot.name())
                .param("project", boot.project().value())
                .param("host", host)
                .param(
                        "reservation",
                        boot.reservation() == null ? null : boot.reservation().toString())
                .query(HostTable::server)
                .single();
    }

    private record Boot(
            String name, ProjectId project, @Nullable ReservationId reservation, String host) {}
}
