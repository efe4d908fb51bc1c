package org.leasehold.saga.waiting;

import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.jdbc.core.JdbcOperations;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The waits in PostgreSQL, on the transaction's connection. */
record PostgresWaitingLeases(JdbcOperations jdbc) implements WaitingLeases {

    private static final String INSERT =
            """
            INSERT INTO waiting (lease_id, reservation_id)
            SELECT w.lease_id, w.reservation_id
            FROM unnest(?::uuid[], ?::uuid[]) AS w (lease_id, reservation_id)
            """;

    private static final String SELECT =
            """
            SELECT lease_id, reservation_id FROM waiting
            WHERE reservation_id = ANY (?) ORDER BY lease_id, reservation_id
            """;

    @Override
    public void replaceWaits(Map<LeaseId, List<ReservationId>> awaited) {
        jdbc.update(
                "DELETE FROM waiting WHERE lease_id = ANY (?)",
                (Object) awaited.keySet().stream().map(LeaseId::value).toArray(UUID[]::new));
        List<UUID> leases = new ArrayList<>();
        List<UUID> reservations = new ArrayList<>();
        awaited.forEach(
                (lease, waits) ->
                        waits.forEach(
                                reservation -> {
                                    leases.add(lease.value());
                                    reservations.add(reservation.value());
                                }));
        if (!leases.isEmpty()) {
            jdbc.update(INSERT, leases.toArray(UUID[]::new), reservations.toArray(UUID[]::new));
        }
    }

    @Override
    public List<Wait> findWaits(Collection<ReservationId> awaited) {
        return jdbc.query(
                SELECT,
                (row, _) ->
                        new Wait(
                                new LeaseId(row.getObject(1, UUID.class)),
                                new ReservationId(row.getObject(2, UUID.class))),
                (Object) awaited.stream().map(ReservationId::value).toArray(UUID[]::new));
    }
}
