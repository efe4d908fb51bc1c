package org.leasehold.command.calendar.claim;

import org.leasehold.command.calendar.CalendarContention;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.support.SqlArrayValue;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/** The holders in PostgreSQL, on the transaction's connection. */
public final class PostgresHolders implements Holders {

    // The order is by resource, as everywhere. A holder keeps its resource; if two reservations
    // would become holder at the same instant, the constraint fails one.
    private static final String ACQUIRE =
            """
            WITH tenure AS MATERIALIZED (
                SELECT reservation_id, nextval('tenure_generation') AS generation
                FROM unnest(?::uuid[]) AS r (reservation_id))
            INSERT INTO holder (resource_id, reservation_id, lease_id, generation, since, shared)
            SELECT g.resource_id, g.reservation_id, ?, tenure.generation, ?, g.shared
            FROM unnest(?::bigint[], ?::uuid[], ?::boolean[])
                     AS g (resource_id, reservation_id, shared)
                 JOIN tenure USING (reservation_id)
            WHERE NOT EXISTS (
                SELECT FROM holder h
                WHERE h.resource_id = g.resource_id AND h.reservation_id <> g.reservation_id
                  AND NOT (h.shared AND g.shared))
            ORDER BY g.resource_id
            ON CONFLICT (resource_id, reservation_id)
                DO UPDATE SET generation = excluded.generation
            RETURNING reservation_id, generation
            """;

    // Resources first, then claims, then holders, as everywhere.
    private static final String ACQUIRE_IN_GROUP =
            """
            WITH served AS MATERIALIZED (
                SELECT resource_id FROM resource
                WHERE resource_id = ANY (?) AND state = 'ENROLLED'
                ORDER BY resource_id FOR KEY SHARE)
            INSERT INTO holder (resource_id, reservation_id, lease_id, generation, since)
            SELECT t.resource_id, t.reservation_id, t.lease_id, t.generation, t.since::timestamptz
            FROM unnest(?::bigint[], ?::uuid[], ?::uuid[], ?::bigint[], ?::text[])
                     AS t (resource_id, reservation_id, lease_id, generation, since)
                 JOIN served USING (resource_id)
            WHERE NOT EXISTS (
                SELECT FROM holder h
                WHERE h.resource_id = t.resource_id AND h.reservation_id <> t.reservation_id)
            ORDER BY t.resource_id
            ON CONFLICT (resource_id, reservation_id)
                DO UPDATE SET generation = excluded.generation
            """;

    private static final String RELEASE =
            """
            DELETE FROM holder WHERE (resource_id, reservation_id) IN (
                SELECT resource_id, reservation_id FROM holder
                WHERE reservation_id = ? AND (? OR resource_id = ANY (?))
                ORDER BY resource_id FOR UPDATE)
            """;

    private static final String RELEASE_ALL =
            """
            DELETE FROM holder WHERE (resource_id, reservation_id) IN (
                SELECT resource_id, reservation_id FROM holder
                WHERE lease_id = ? ORDER BY resource_id FOR UPDATE)
            """;

    private static final String RENEW =
            """
            WITH tenure AS MATERIALIZED (
                SELECT reservation_id, nextval('tenure_generation') AS generation
                FROM (SELECT DISTINCT reservation_id FROM holder
                      WHERE reservation_id = ANY (?) ORDER BY reservation_id) r)
            UPDATE holder h SET generation = tenure.generation
            FROM tenure WHERE h.reservation_id = tenure.reservation_id
            RETURNING h.reservation_id, h.generation
            """;

    private static final RowMapper<Tenure> TENURE =
            (row, number) ->
                    new Tenure(
                            new ReservationId(row.getObject("reservation_id", UUID.class)),
                            row.getLong("generation"));

    private final JdbcTemplate jdbc;

    public PostgresHolders(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public List<Tenure> acquire(
            LeaseId lease, Map<ReservationId, List<Allocation>> taken, Instant now) {
        List<UUID> reservations = new ArrayList<>();
        List<Long> resources = new ArrayList<>();
        List<Boolean> shared = new ArrayList<>();
        taken.forEach(
                (reservation, allocations) -> {
                    for (Allocation allocation : allocations) {
                        reservations.add(reservation.value());
                        resources.add(allocation.resource().value());
                        shared.add(allocation.share() != null);
                    }
                });
        List<Tenure> tenures =
                jdbc.query(
                        ACQUIRE,
                        TENURE,
                        SqlArrays.uuids(taken.keySet()),
                        lease.value(),
                        now.atOffset(ZoneOffset.UTC),
                        new SqlArrayValue("bigint", resources.toArray()),
                        new SqlArrayValue("uuid", reservations.toArray()),
                        new SqlArrayValue("boolean", shared.toArray()));
        if (tenures.size() != resources.size()) {
            throw new CalendarContention("another reservation holds a resource");
        }
        return inOrder(taken.keySet(), tenures);
    }

    @Override
    public boolean acquire(List<Taking> takings) {
        Object[] resources = takings.stream().map(t -> t.resource().value()).toArray();
        try {
            int taken =
                    jdbc.update(
                            ACQUIRE_IN_GROUP,
                            new SqlArrayValue("bigint", resources),
                            new SqlArrayValue("bigint", resources),
                            array("uuid", takings, t -> t.tenure().reservation().value()),
                            array("uuid", takings, t -> t.lease().value()),
                            array("bigint", takings, t -> t.tenure().generation()),
                            array("text", takings, t -> t.since().toString()));
            return taken == takings.size();
        } catch (DataIntegrityViolationException takenAtTheSameInstant) {
            // The transaction is broken, and is rolled back anyway.
            return false;
        }
    }

    private static SqlArrayValue array(
            String type, List<Taking> takings, Function<Taking, Object> column) {
        return new SqlArrayValue(type, takings.stream().map(column).toArray());
    }

    @Override
    public List<Long> nextTenureNumbers(int count) {
        return jdbc.queryForList(
                "SELECT nextval('tenure_generation') FROM generate_series(1, ?)",
                Long.class,
                count);
    }

    @Override
    public List<Taking> findAll() {
        return jdbc.query(
                "SELECT lease_id, reservation_id, generation, resource_id, since FROM holder",
                (row, number) ->
                        new Taking(
                                new LeaseId(row.getObject("lease_id", UUID.class)),
                                Objects.requireNonNull(TENURE.mapRow(row, number)),
                                new ResourceId(row.getLong("resource_id")),
                                row.getTimestamp("since").toInstant()));
    }

    @Override
    public Map<ResourceId, Condition> lockConditions(Collection<ResourceId> resources) {
        Map<ResourceId, Condition> conditions = new LinkedHashMap<>();
        jdbc.query(
                """
                SELECT r.resource_id, r.name, r.state, r.disabled_reason,
                       h.reservation_id, h.shared
                FROM resource r LEFT JOIN holder h USING (resource_id)
                WHERE r.resource_id = ANY (?) ORDER BY r.resource_id FOR KEY SHARE OF r
                """,
                (RowCallbackHandler)
                        row -> {
                            ResourceId resource = new ResourceId(row.getLong("resource_id"));
                            conditions.merge(
                                    resource,
                                    condition(row),
                                    (had, more) ->
                                            had.withHands(
                                                    with(had.hands(), more.hands().getFirst())));
                        },
                SqlArrays.bigints(resources));
        return conditions;
    }

    private static Condition condition(ResultSet row) throws SQLException {
        boolean held = row.getObject("reservation_id") != null;
        return new Condition(
                row.getString("name"),
                row.getString("state").equals("ENROLLED"),
                row.getString("disabled_reason"),
                held ? List.of(hand(row)) : List.of());
    }

    private static Hand hand(ResultSet row) throws SQLException {
        return new Hand(
                new ReservationId(row.getObject("reservation_id", UUID.class)),
                row.getBoolean("shared"));
    }

    private static List<Hand> with(List<Hand> hands, Hand another) {
        return Stream.concat(hands.stream(), Stream.of(another)).toList();
    }

    @Override
    public Map<ResourceId, List<Hand>> lockHolders(Collection<ResourceId> resources) {
        Map<ResourceId, List<Hand>> hands = new LinkedHashMap<>();
        jdbc.query(
                """
                SELECT resource_id, reservation_id, shared FROM holder
                WHERE resource_id = ANY (?) ORDER BY resource_id, reservation_id FOR UPDATE
                """,
                (RowCallbackHandler)
                        row ->
                                hands.merge(
                                        new ResourceId(row.getLong("resource_id")),
                                        List.of(hand(row)),
                                        (had, more) -> with(had, more.getFirst())),
                SqlArrays.bigints(resources));
        return hands;
    }

    @Override
    public void release(ReservationId reservation, Set<ResourceId> resources) {
        jdbc.update(
                RELEASE, reservation.value(), resources.isEmpty(), SqlArrays.bigints(resources));
    }

    @Override
    public void releaseAll(LeaseId lease) {
        jdbc.update(RELEASE_ALL, lease.value());
    }

    @Override
    public List<Tenure> renewTenures(Collection<ReservationId> reservations) {
        return inOrder(reservations, jdbc.query(RENEW, TENURE, SqlArrays.uuids(reservations)));
    }

    @Override
    public Optional<LeaseId> leaseOf(ReservationId reservation) {
        return jdbc
                .query(
                        "SELECT lease_id FROM holder WHERE reservation_id = ? LIMIT 1",
                        (row, _) -> new LeaseId(row.getObject("lease_id", UUID.class)),
                        reservation.value())
                .stream()
                .findFirst();
    }

    @Override
    public boolean isCurrent(Tenure tenure) {
        return Boolean.TRUE.equals(
                jdbc.queryForObject(
                        """
                        SELECT EXISTS (
                            SELECT FROM holder WHERE reservation_id = ? AND generation = ?)
                        """,
                        Boolean.class,
                        tenure.reservation().value(),
                        tenure.generation()));
    }

    private static List<Tenure> inOrder(
            Collection<ReservationId> reservations, List<Tenure> tenures) {
        return reservations.stream()
                .flatMap(id -> tenures.stream().filter(t -> t.reservation().equals(id)).limit(1))
                .toList();
    }
}
