package org.leasehold.resource.simulator.cloud;

import org.leasehold.resource.simulator.CloudConnections;
import org.leasehold.resource.simulator.CloudStore;
import org.leasehold.vocabulary.ReservationId;

import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** The aggregates of the simulated cloud: the pool, and one for each reservation. */
final class AggregateTable {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final JavaType STRING_MAP_TYPE =
            JSON.getTypeFactory().constructMapType(TreeMap.class, String.class, String.class);

    private static final String AGGREGATES_QUERY =
            """
            SELECT name, zone, CAST(metadata AS text) AS metadata,
                   array(SELECT h.host FROM aggregate_host h
                         WHERE h.aggregate = a.name ORDER BY h.host) AS hosts
            FROM aggregate a
            """;

    private final CloudConnections connections;

    AggregateTable(CloudConnections connections) {
        this.connections = connections;
    }

    /** Returns all aggregates with their hosts, sorted by name. */
    List<SimulatedCloud.Aggregate> all() {
        return connections
                .jdbc()
                .sql(AGGREGATES_QUERY + " ORDER BY name")
                .query(AggregateTable::aggregate)
                .list();
    }

    /** Returns the aggregate that holds a reservation's hosts. */
    Optional<SimulatedCloud.Aggregate> find(ReservationId reservation) {
        return connections
                .jdbc()
                .sql(AGGREGATES_QUERY + " WHERE name = :name")
                .param("name", reservation.toString())
                .query(AggregateTable::aggregate)
                .optional();
    }

    /** Returns the hosts that no reservation has. */
    List<String> freepool() {
        return connections
                .jdbc()
                .sql("SELECT host FROM aggregate_host WHERE aggregate = :pool ORDER BY host")
                .param("pool", CloudStore.FREEPOOL)
                .query(String.class)
                .list();
    }

    private static SimulatedCloud.Aggregate aggregate(ResultSet row, int number)
            throws SQLException {
        return new SimulatedCloud.Aggregate(
                row.getString("name"),
                row.getString("zone"),
                JSON.readValue(row.getString("metadata"), STRING_MAP_TYPE),
                List.of((String[]) row.getArray("hosts").getArray()));
    }
}
