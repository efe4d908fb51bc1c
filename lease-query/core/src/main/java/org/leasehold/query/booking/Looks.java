package org.leasehold.query.booking;

import static java.util.stream.Collectors.joining;

import org.leasehold.history.Invariant;

import java.util.Arrays;

/** What was seen to run on resources, in whichever table it is kept. */
public final class Looks {

    private Looks() {}

    /**
     * A table must have what was seen as the events have it, up to the one that it stands on.
     *
     * @param standsOn the name of its read model
     * @param counted what the table has of what was counted; its columns are called as the event's
     *     fields are
     */
    public static Invariant areAsTheEventsHaveThem(
            String table, String standsOn, String... counted) {
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
