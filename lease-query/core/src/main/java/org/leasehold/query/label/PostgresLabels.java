package org.leasehold.query.label;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.label.Labels;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Labels from the event log, which has the names of deleted leases and of the past, and from the
 * table of resources, which keeps the retired ones.
 */
public final class PostgresLabels implements Labels {

    /** The largest number of leases in a statement, so that none of them takes long. */
    private static final int PART_SIZE = 1_000;

    private static final String SELECT_NAMING_EVENTS =
            """
            SELECT stream_id, payload ->> 'name' AS name, payload ->> 'projectId' AS project_id,
                payload ->> 'userId' AS user_id,
                ARRAY(SELECT id #>> '{}' FROM jsonb_path_query(wishes, '$[*].id') id)
                    AS reservations,
                ARRAY(SELECT kind #>> '{}' FROM jsonb_path_query(wishes, '$[*].kind') kind)
                    AS kinds
            FROM domain_event
                CROSS JOIN LATERAL (SELECT coalesce(payload -> 'reservations',
                    jsonb_build_array(payload -> 'reservation'))) wished (wishes)
            WHERE stream_id = ANY (:ids) AND position <= :known
                AND event_type IN (
                    'LeaseRequested', 'LeaseRefused', 'LeaseRetryScheduled', 'LeaseRenamed',
                    'ReservationAdded')
            ORDER BY stream_id, sequence
            """;

    private static final String SELECT_RESOURCES =
            "SELECT resource_id, name, zone FROM resource WHERE resource_id = ANY (:ids)";

    private final JdbcClient jdbc;

    public PostgresLabels(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public Map<LeaseId, LeaseLabel> leases(Set<LeaseId> ids, @Nullable Long asOf) {
        Map<LeaseId, LeaseLabel> labels = new HashMap<>();
        List<LeaseId> all = List.copyOf(ids);
        for (int from = 0; from < all.size(); from += PART_SIZE) {
            List<LeaseId> part = all.subList(from, Math.min(from + PART_SIZE, all.size()));
            jdbc.sql(SELECT_NAMING_EVENTS)
                    .param("ids", part.stream().map(LeaseId::toString).toArray(String[]::new))
                    .param("known", asOf == null ? Long.MAX_VALUE : asOf)
                    .query(
                            row -> {
                                apply(row, labels);
                            });
        }
        return labels;
    }

    /** Applies an event; the first one of a lease is the request. */
    private static void apply(ResultSet row, Map<LeaseId, LeaseLabel> labels) throws SQLException {
        LeaseId id = LeaseId.of(row.getString("stream_id"));
        LeaseLabel before = labels.get(id);
        String name = row.getString("name");
        Map<ReservationId, ResourceKind> kinds =
                new HashMap<>(before == null ? Map.of() : before.kinds());
        String[] reservations = (String[]) row.getArray("reservations").getArray();
        String[] kindNames = (String[]) row.getArray("kinds").getArray();
        for (int i = 0; i < reservations.length; i++) {
            kinds.put(ReservationId.of(reservations[i]), new ResourceKind(kindNames[i]));
        }
        labels.put(
                id,
                before == null
                        ? new LeaseLabel(
                                name,
                                new ProjectId(row.getString("project_id")),
                                new UserId(row.getString("user_id")),
                                kinds)
                        : new LeaseLabel(
                                name == null ? before.name() : name,
                                before.project(),
                                before.user(),
                                kinds));
    }

    @Override
    public Map<ResourceId, ResourceLabel> resources(Set<ResourceId> ids) {
        Map<ResourceId, ResourceLabel> labels = new HashMap<>();
        if (!ids.isEmpty()) {
            jdbc.sql(SELECT_RESOURCES)
                    .param("ids", ids.stream().map(ResourceId::value).toArray(Long[]::new))
                    .query(
                            row -> {
                                labels.put(
                                        new ResourceId(row.getLong("resource_id")),
                                        new ResourceLabel(
                                                row.getString("name"), row.getString("zone")));
                            });
        }
        return labels;
    }
}
