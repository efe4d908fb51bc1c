package org.leasehold.query.booking;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.UseObserved;
import org.leasehold.readmodel.resource.ObservedUses;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

/** Queries of the tables of bookings and of observed use. */
final class PostgresObservedUses implements ObservedUses {

    private static final String SELECT_GIVEN =
            """
            SELECT b.kind, b.lease_id, b.project_id, b.reservation_id, b.resource_id, last.servers,
                last.vcpus
            FROM booking b LEFT JOIN LATERAL (
                SELECT servers, vcpus FROM observed_use
                WHERE reservation_id = b.reservation_id AND resource_id = b.resource_id
                ORDER BY position DESC LIMIT 1) last ON true
            WHERE b.what = 'ACTIVE' AND b.known_to IS NULL AND b.needs IS NULL
                AND b.starts <= :at AND b.ends > :at\
            """;

    private final JdbcClient jdbc;

    PostgresObservedUses(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public List<Given> leasedResources(ResourceKind kind, Instant at) {
        return jdbc.sql(SELECT_GIVEN + " AND b.kind = :kind ORDER BY b.resource_id")
                .param("kind", kind.value())
                .param("at", at.atOffset(ZoneOffset.UTC))
                .query((row, _) -> given(row))
                .list();
    }

    @Override
    public List<Standing> lastUseByKind(Instant at) {
        return jdbc.sql(
                        """
                        SELECT kind, count(*) FILTER (WHERE servers = 0) AS idle,
                            sum(servers) AS servers, sum(vcpus) AS vcpus
                        FROM (%s) given WHERE servers IS NOT NULL GROUP BY kind ORDER BY kind
                        """
                                .formatted(SELECT_GIVEN))
                .param("at", at.atOffset(ZoneOffset.UTC))
                .query(
                        (row, _) ->
                                new Standing(
                                        new ResourceKind(row.getString("kind")),
                                        row.getLong("idle"),
                                        row.getLong("servers"),
                                        row.getLong("vcpus")))
                .list();
    }

    private static Given given(ResultSet row) throws SQLException {
        LeaseId lease = new LeaseId(row.getObject("lease_id", UUID.class));
        ProjectId project = new ProjectId(row.getString("project_id"));
        ReservationId reservation = new ReservationId(row.getObject("reservation_id", UUID.class));
        ResourceId resource = new ResourceId(row.getLong("resource_id"));
        @Nullable Integer servers = row.getObject("servers", Integer.class);
        return new Given(
                lease,
                project,
                reservation,
                resource,
                servers == null
                        ? null
                        : new UseObserved(
                                lease,
                                project,
                                reservation,
                                resource,
                                servers,
                                row.getInt("vcpus")));
    }
}
