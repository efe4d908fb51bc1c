package org.leasehold.query.resource;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.readmodel.resource.Resources.CountedProperty;
import org.leasehold.readmodel.resource.Resources.ListProperties;
import org.leasehold.readmodel.resource.Resources.ResourceProperty;
import org.leasehold.readmodel.resource.Resources.ValueCount;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Pages of properties with the number of resources of each value. */
final class CountedPropertyQuery {

    private static final String PAGE =
            """
            WITH page AS MATERIALIZED (
                SELECT property_id, name, hidden, created_at, updated_at
                  FROM resource_property
                 WHERE kind = :kind
                   AND name COLLATE "C" > :after
                   AND (:hidden_too OR NOT hidden)
                   AND (:name::text IS NULL OR name = :name)
                 ORDER BY name COLLATE "C"
                 LIMIT :limit)
            SELECT p.property_id, p.name, p.hidden, p.created_at, p.updated_at,
                   coalesce(v.property_values, '{}') AS property_values,
                   coalesce(v.counts, '{}') AS counts,
                   coalesce(v.number, 0) > :most AS truncated
              FROM page p
              LEFT JOIN (SELECT key, count(*) AS number,
                                array_agg(value ORDER BY rank)
                                    FILTER (WHERE rank <= :most) AS property_values,
                                array_agg(resources ORDER BY rank)
                                    FILTER (WHERE rank <= :most) AS counts
                           FROM (SELECT c.key, c.value, count(*) AS resources,
                                        row_number() OVER (PARTITION BY c.key
                                            ORDER BY c.value COLLATE "C") AS rank
                                   FROM resource r, jsonb_each_text(r.capabilities) c
                                  WHERE r.kind = :kind AND r.state <> 'RETIRED'
                                    AND c.key IN (SELECT name FROM page)
                                  GROUP BY c.key, c.value) ranked
                          GROUP BY key) v
                ON v.key = p.name
             ORDER BY p.name COLLATE "C"
            """;

    // The id of a property follows from the name. So one that the caller may not see is no marker:
    // otherwise callers could try names.
    private static final String NAME_OF_MARKER =
            """
            SELECT name FROM resource_property
             WHERE property_id = :id AND kind = :kind AND (:hidden_too OR NOT hidden)
            """;

    private final JdbcClient jdbc;

    CountedPropertyQuery(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Page<CountedProperty> page(ListProperties question) {
        List<CountedProperty> found =
                jdbc.sql(PAGE)
                        .param("kind", question.kind().value())
                        .param("after", lastName(question))
                        .param("hidden_too", question.hiddenToo())
                        .param("name", question.name())
                        .param("limit", question.limit() + 1)
                        .param("most", Resources.MAX_VALUES)
                        .query((row, number) -> counted(question.kind(), row))
                        .list();
        return Page.of(found, question.limit(), last -> last.property().id().toString());
    }

    /** Returns the name of the last property of the page before; empty before the first page. */
    private String lastName(ListProperties question) {
        String marker = question.marker();
        if (marker == null) {
            return "";
        }
        return jdbc.sql(NAME_OF_MARKER)
                .param("id", Page.parseMarker(marker, UUID::fromString))
                .param("kind", question.kind().value())
                .param("hidden_too", question.hiddenToo())
                .query(String.class)
                .optional()
                .orElseThrow(() -> new UnknownMarker(marker));
    }

    private static CountedProperty counted(ResourceKind kind, ResultSet row) throws SQLException {
        ResourceProperty property = PostgresResources.property(kind, row);
        Long[] counts = (Long[]) row.getArray("counts").getArray();
        List<ValueCount> counted = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            counted.add(new ValueCount(property.values().get(i), counts[i]));
        }
        return new CountedProperty(property, counted, row.getBoolean("truncated"));
    }
}
