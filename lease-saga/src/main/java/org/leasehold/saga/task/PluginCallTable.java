package org.leasehold.saga.task;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.lease.Fault;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.operation.CloudCalls;
import org.leasehold.readmodel.operation.StuckActionQuery.Change;
import org.leasehold.readmodel.operation.StuckActionQuery.Target;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

/** Calls of plug-ins as rows, in the order in which they ended. */
final class PluginCallTable implements PluginCallLog, CloudCalls {

    private final JdbcClient jdbc;

    PluginCallTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    private record Numbered(long number, CloudCall call) {}

    @Override
    public void add(CloudCall call) {
        Fault fault = call.fault();
        JdbcClient.StatementSpec insert =
                jdbc.sql(
                        """
                        INSERT INTO plugin_call
                            (lease_id, reservation_id, resource_id, kind, name, action, attempt,
                             began, ended, fault_kind, fault, request_id, causation)
                        VALUES (:lease::uuid, :reservation::uuid, :resource::bigint, :kind, :name,
                                :action, :attempt, :began, :ended, :faultKind, :fault,
                                :requestId, :causation)
                        """);
        switch (call.target()) {
            case Target.Reservation(var lease, var reservation, var action) ->
                    insert.param("lease", lease.value())
                            .param("reservation", reservation.value())
                            .param("resource", null)
                            .param("kind", null)
                            .param("name", null)
                            .param("action", action.name());
            case Target.Resource(var resource, var kind, var name, var change) ->
                    insert.param("lease", null)
                            .param("reservation", null)
                            .param("resource", resource.value())
                            .param("kind", kind.value())
                            .param("name", name)
                            .param("action", change.name());
        }
        insert.param("attempt", call.attempt())
                .param("began", call.began().atOffset(ZoneOffset.UTC))
                .param("ended", call.ended().atOffset(ZoneOffset.UTC))
                .param("faultKind", fault == null ? null : fault.kind().name())
                // The database cannot store this character.
                .param("fault", fault == null ? null : fault.message().replace("\0", ""))
                .param("requestId", call.requestId())
                .param("causation", call.causation())
                .update();
    }

    @Override
    public Page<CloudCall> list(ListCalls question) {
        LeaseId lease = question.lease();
        ResourceId resource = question.resource();
        // Only the requested conditions: one statement for all would be planned for none.
        String where =
                (lease == null ? "" : " AND lease_id = :lease")
                        + (resource == null ? "" : " AND resource_id = :resource")
                        + (question.requestId() == null ? "" : " AND request_id = :request")
                        + (question.from() == null ? "" : " AND ended >= :from")
                        + (question.to() == null ? "" : " AND ended < :to");
        List<Numbered> found =
                jdbc.sql(
                                "SELECT * FROM plugin_call WHERE call_id < :before%s ORDER BY call_id DESC LIMIT :limit"
                                        .formatted(where))
                        .param("before", before(question.marker()))
                        .param("lease", lease == null ? null : lease.value())
                        .param("resource", resource == null ? null : resource.value())
                        .param("request", question.requestId())
                        .param("from", utc(question.from()))
                        .param("to", utc(question.to()))
                        .param("limit", question.limit() + 1)
                        .query((row, _) -> new Numbered(row.getLong("call_id"), call(row)))
                        .list();
        return Page.of(found, question.limit(), last -> Long.toString(last.number()))
                .map(Numbered::call);
    }

    private static long before(@Nullable String marker) {
        return marker == null ? Long.MAX_VALUE : Page.parseMarker(marker, Long::valueOf);
    }

    private static @Nullable OffsetDateTime utc(@Nullable Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }

    private static CloudCall call(ResultSet row) throws SQLException {
        String faultKind = row.getString("fault_kind");
        return new CloudCall(
                target(row),
                row.getInt("attempt"),
                instant(row, "began"),
                instant(row, "ended"),
                faultKind == null
                        ? null
                        : new Fault(Fault.Kind.valueOf(faultKind), row.getString("fault")),
                row.getString("request_id"),
                row.getString("causation"));
    }

    private static Target target(ResultSet row) throws SQLException {
        UUID lease = row.getObject("lease_id", UUID.class);
        String action = row.getString("action");
        return lease == null
                ? new Target.Resource(
                        new ResourceId(row.getLong("resource_id")),
                        new ResourceKind(row.getString("kind")),
                        row.getString("name"),
                        Change.valueOf(action))
                : new Target.Reservation(
                        new LeaseId(lease),
                        new ReservationId(row.getObject("reservation_id", UUID.class)),
                        Action.valueOf(action));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
