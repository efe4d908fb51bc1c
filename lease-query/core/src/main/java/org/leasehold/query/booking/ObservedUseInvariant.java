package org.leasehold.query.booking;

import static java.util.stream.Collectors.joining;

import org.leasehold.history.Invariant;

import java.util.Arrays;

/** The invariant of observed use, for each table that stores it. */
public final class ObservedUseInvariant {

    private ObservedUseInvariant() {}

    /**
     * Returns the invariant that a table has the observations of the events, up to the read model's
     * position.
     *
     * @param standsOn the name of the read model
     * @param counted the counts in the table; its columns have the names of the event's fields
     */
    public static Invariant of(String table, String standsOn, String... counted) {
        return new Invariant(
                table,
                """
                SELECT 'event ' || position, coalesce(expected.look::text, 'nothing'),
                    coalesce(found.look::text, 'nothing')
                FROM (SELECT position, ROW((payload ->> 'reservationId')::uuid,
                          (payload ->> 'resourceId')::bigint, decided_at, %s) AS look
                      FROM domain_event
                      WHERE event_type = 'UseObserved' AND position <=
                          (SELECT position FROM projection WHERE name = '%s')) expected
                    FULL JOIN (SELECT position, ROW(reservation_id, resource_id, seen, %s) AS look
                      FROM %s) found USING (position)
                WHERE expected.look IS DISTINCT FROM found.look
                ORDER BY position
                """
                        .formatted(
                                Arrays.stream(counted)
                                        .map("(payload ->> '%s')::int"::formatted)
                                        .collect(joining(", ")),
                                standsOn,
                                String.join(", ", counted),
                                table));
    }
}
