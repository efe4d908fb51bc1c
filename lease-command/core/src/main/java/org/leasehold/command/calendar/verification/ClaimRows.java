package org.leasehold.command.calendar.verification;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.verification.LeaseCalendarProjection.Slot;
import org.leasehold.history.DerivedRows;
import org.leasehold.history.Invariant;
import org.leasehold.history.RecordedEvent;
import org.leasehold.vocabulary.Share;

import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The expected claims of a lease, from its events. */
final class ClaimRows implements DerivedRows {

    static final Invariant NOTHING_IS_PROMISED_TWICE =
            new Invariant(
                    "claim",
                    """
                    SELECT 'resource ' || one.resource_id,
                           'promised to one at a time',
                           format('reservation %s %s and reservation %s %s',
                                  one.reservation_id, one.during,
                                  other.reservation_id, other.during)
                    FROM claim one JOIN claim other USING (resource_id, within)
                    WHERE one.during && other.during AND one.occupancy <> other.occupancy
                      AND one.reservation_id < other.reservation_id
                    """);

    // The property that Capacity names contains the amount of a resource class. A promise stays
    // valid when the cloud reduces that amount, so every amount that the resource ever had counts.
    // An operator's value precedes the cloud's.
    static final Invariant NO_SHARES_EXCEED_THEIR_RESOURCE =
            new Invariant(
                    "claim",
                    """
                    SELECT 'resource ' || r.resource_id,
                           'promised up to its capacity',
                           format('%s of %s promised at %s', t.taken, t.class, t.at)
                    FROM (SELECT one.resource_id, lower(one.during) AS at, need.key AS class,
                                 sum((other.share->>'slots')::bigint
                                     * (other.share->'needs'->>need.key)::bigint) AS taken
                          FROM claim one, jsonb_each(one.share->'needs') need, claim other
                          WHERE other.resource_id = one.resource_id
                            AND other.within = one.within
                            AND other.during @> lower(one.during)
                          GROUP BY one.reservation_id, one.resource_id, one.during, need.key) t
                         JOIN resource r USING (resource_id)
                         CROSS JOIN LATERAL (
                             SELECT CASE t.class WHEN 'VCPU' THEN 'vcpus'
                                                 WHEN 'MEMORY_MB' THEN 'memory_mb'
                                                 WHEN 'DISK_GB' THEN 'local_gb'
                                                 ELSE t.class END AS name) property
                    WHERE t.taken > coalesce(floor(coalesce(
                              (r.capabilities->>property.name)::numeric,
                              (SELECT max((e.payload->'attributes'->>property.name)::numeric)
                               FROM domain_event e
                               WHERE e.stream_id = r.resource_id::text
                                 AND e.event_type IN ('ResourceEnrolled', 'ResourceDescribed')))),
                          0)
                    """);

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final String NIL = "00000000-0000-0000-0000-000000000000";

    @Override
    public String table() {
        return "claim";
    }

    @Override
    public Subject subject() {
        return Subject.LEASE;
    }

    @Override
    public String query() {
        return """
        SELECT lease_id, reservation_id, resource_id, within, occupancy, project_id,
               lower(during), upper(during) - cleaning, extract(epoch FROM cleaning)::float8,
               share
        FROM claim ORDER BY lease_id
        """;
    }

    @Override
    public Row parseRow(ResultSet row) throws SQLException {
        return new Row(
                key(row.getString(2), row.getLong(3)),
                Map.of(
                        "within", row.getString(4),
                        "occupancy", row.getString(5),
                        "project", row.getString(6),
                        "from", instant(row, 7).toString(),
                        "until", instant(row, 8).toString(),
                        "cleaning", seconds(row.getDouble(9)).toString(),
                        "share", share(row.getString(10))));
    }

    private static Instant instant(ResultSet row, int column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private static Duration seconds(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e6) * 1000);
    }

    @Override
    public List<Row> expectedRows(List<RecordedEvent> life, Moment moment) {
        LeaseCalendarProjection calendar = LeaseCalendarProjection.of(life);
        List<Row> rows = new ArrayList<>();
        calendar.promises()
                .forEach(
                        (slot, promise) ->
                                rows.add(
                                        new Row(
                                                key(slot),
                                                Map.of(
                                                        "within", NIL,
                                                        "occupancy",
                                                                promise.share() == null
                                                                        ? slot.reservation()
                                                                                .toString()
                                                                        : NIL,
                                                        "project", calendar.project(),
                                                        "from", promise.from().toString(),
                                                        "until", promise.until().toString(),
                                                        "cleaning", promise.cleaning().toString(),
                                                        "share", share(promise.share())),
                                                // Claims that are over are deleted some time.
                                                promise.endOfCleaning().isAfter(moment.now()))));
        return rows;
    }

    private static String share(@Nullable String json) {
        return share(json == null ? null : JSON.readValue(json, Share.class));
    }

    private static String share(@Nullable Share share) {
        return share == null ? "whole" : share.toString();
    }

    private static String key(Slot slot) {
        return key(slot.reservation().toString(), slot.resource().value());
    }

    private static String key(String reservation, long resource) {
        return "reservation %s on resource %s".formatted(reservation, resource);
    }
}
