package org.leasehold.command.calendar.claim;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The claims in PostgreSQL, on the transaction's connection. */
public final class PostgresClaims implements Claims {

    // The lock of appends to the event log.
    private static final String LOCK_HEAD = "SELECT pg_advisory_xact_lock(1)";

    // Weaker than FOR UPDATE: claims on whole resources do not wait for it, and nothing waits for
    // them. The exclusion constraint decides which of them is first.
    private static final String LOCK =
            """
            SELECT resource_id FROM resource WHERE resource_id = ANY (?)
            ORDER BY resource_id FOR NO KEY UPDATE
            """;

    // Locks resources and inserts claims in the order of the resources' ids, as all transactions
    // do: concurrent grants wait for each other, but never in a circle. A resource that changed
    // since the choice is left out, because the lock re-reads it.
    private static final String CLAIM =
            """
            INSERT INTO claim (resource_id, within, during, occupancy, reservation_id, lease_id,
                               project_id, cleaning, relies_on, share)
            SELECT r.resource_id, '00000000-0000-0000-0000-000000000000', w.during,
                   CASE WHEN o.share IS NULL THEN w.reservation_id
                        ELSE '00000000-0000-0000-0000-000000000000' END,
                   w.reservation_id, w.lease_id, w.project_id, make_interval(secs => ?),
                   w.relies_on::text[], o.share::jsonb
            FROM unnest(?::bigint[], ?::bigint[], ?::boolean[], ?::integer[], ?::text[])
                     AS o (resource_id, marker, kept, place, share)
                 JOIN unnest(?::uuid[], ?::uuid[], ?::text[], ?::text[]::tstzrange[], ?::text[])
                     WITH ORDINALITY
                     AS w (reservation_id, lease_id, project_id, during, relies_on, place)
                     USING (place)
                 JOIN resource r ON r.resource_id = o.resource_id
            WHERE o.kept OR (r.state = 'ENROLLED' AND r.xmin::text::bigint = o.marker)
            ORDER BY r.resource_id
            FOR KEY SHARE OF r
            ON CONFLICT DO NOTHING
            RETURNING reservation_id, resource_id
            """;

    private static final String DELETE_ALL =
            """
            DELETE FROM claim WHERE reservation_id = ANY (?)
            RETURNING resource_id, reservation_id, lower(during) AS start, upper(during) AS end,
                      share::text AS share
            """;

    // Resources that were not held need no cleaning.
    private static final String REQUIRED_CLEANING =
            """
            CASE WHEN EXISTS (SELECT FROM holder h
                              WHERE h.resource_id = c.resource_id
                                AND h.reservation_id = c.reservation_id)
                 THEN c.cleaning ELSE interval '0' END
            """;

    // Not by a join of the claims with themselves: see the decision record 27.
    private static final String SHORTEN =
            """
            WITH ended AS (
                SELECT ?::timestamptz AS at, ?::uuid AS lease_id, ?::uuid[] AS reservations),
            dropped AS (
                DELETE FROM claim c USING ended e
                WHERE c.lease_id = e.lease_id AND c.reservation_id = ANY (e.reservations)
                  AND lower(c.during) >= e.at + %1$s)
            UPDATE claim c
            SET during = tstzrange(lower(c.during), e.at + %1$s), cleaning = %1$s
            FROM ended e
            WHERE c.lease_id = e.lease_id AND c.reservation_id = ANY (e.reservations)
              AND lower(c.during) < e.at + %1$s AND upper(c.during) > e.at + %1$s
            """
                    .formatted(REQUIRED_CLEANING);

    private static final String DELETE_ENDED =
            """
            DELETE FROM claim WHERE ctid IN (
                SELECT ctid FROM claim
                WHERE during << tstzrange(?, NULL, '[)') LIMIT ? FOR UPDATE SKIP LOCKED)
            """;

    private final JdbcTemplate jdbc;
    private final ClaimQueries queries;
    private final Duration cleaning;

    public PostgresClaims(JdbcTemplate jdbc, Duration cleaning) {
        this.jdbc = jdbc;
        this.queries = new ClaimQueries(jdbc);
        this.cleaning = cleaning;
    }

    @Override
    public Duration cleaning() {
        return cleaning;
    }

    @Override
    public CalendarSnapshot readSnapshot(CalendarSnapshot.Question question) {
        return queries.readSnapshot(question);
    }

    @Override
    public Head head() {
        return queries.head();
    }

    @Override
    public void lockHead() {
        jdbc.query(LOCK_HEAD, (RowCallbackHandler) _ -> {});
    }

    @Override
    public Optional<Survey> survey(
            LeasePeriod span, Collection<ResourceId> resources, int maxClaims) {
        return queries.survey(span, resources, maxClaims);
    }

    @Override
    public Map<ReservationId, List<Claim>> deleteAll(Collection<ReservationId> reservations) {
        Map<ReservationId, List<Claim>> taken = new HashMap<>();
        jdbc.query(
                DELETE_ALL,
                (RowCallbackHandler)
                        row -> {
                            Claim claim =
                                    new Claim(
                                            new ResourceId(row.getLong("resource_id")),
                                            new LeasePeriod(
                                                    row.getTimestamp("start").toInstant(),
                                                    row.getTimestamp("end").toInstant()),
                                            ClaimColumns.share(row.getString("share")));
                            taken.computeIfAbsent(
                                            ClaimColumns.reservation(row), id -> new ArrayList<>())
                                    .add(claim);
                        },
                SqlArrays.uuids(reservations));
        return taken;
    }

    @Override
    public void delete(ReservationId reservation, Collection<ResourceId> resources) {
        jdbc.update(
                "DELETE FROM claim WHERE reservation_id = ? AND resource_id = ANY (?)",
                reservation.value(),
                SqlArrays.bigints(resources));
    }

    @Override
    public void lock(List<ResourceId> resources) {
        jdbc.query(LOCK, (RowCallbackHandler) _ -> {}, SqlArrays.bigints(resources));
    }

    @Override
    public List<Claim> findTouching(List<ResourceId> resources, LeasePeriod window) {
        return queries.findTouching(resources, window);
    }

    @Override
    public Map<ReservationId, Set<ResourceId>> claim(List<Offer> offers) {
        List<Candidate> candidates = candidates(offers);
        Map<ReservationId, Set<ResourceId>> claimed = new LinkedHashMap<>();
        offers.forEach(offer -> claimed.put(offer.reservation(), new HashSet<>()));
        jdbc.query(
                CLAIM,
                (RowCallbackHandler)
                        row -> {
                            Objects.requireNonNull(claimed.get(ClaimColumns.reservation(row)))
                                    .add(new ResourceId(row.getLong("resource_id")));
                        },
                cleaning.toNanos() / 1e9,
                SqlArrays.array("bigint", candidates.stream().map(c -> c.resource().value())),
                SqlArrays.array("bigint", candidates.stream().map(Candidate::marker)),
                SqlArrays.array("boolean", candidates.stream().map(Candidate::kept)),
                SqlArrays.array("integer", candidates.stream().map(Candidate::index)),
                SqlArrays.array("text", candidates.stream().map(Candidate::share)),
                SqlArrays.array("uuid", offers.stream().map(offer -> offer.reservation().value())),
                SqlArrays.array("uuid", offers.stream().map(offer -> offer.lease().value())),
                SqlArrays.array("text", offers.stream().map(offer -> offer.project().value())),
                SqlArrays.array(
                        "text", offers.stream().map(offer -> SqlArrays.range(offer.window()))),
                SqlArrays.array(
                        "text",
                        offers.stream()
                                .map(offer -> SqlArrays.textArray(offer.reliedOnProperties()))));
        return claimed;
    }

    private static List<Candidate> candidates(List<Offer> offers) {
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < offers.size(); i++) {
            for (CachedResource resource : offers.get(i).resources()) {
                boolean kept = offers.get(i).kept().contains(resource.id());
                candidates.add(
                        new Candidate(
                                resource.id(),
                                resource.marker(),
                                kept,
                                i + 1,
                                ClaimColumns.json(resource.allocation().share())));
            }
        }
        return candidates;
    }

    @Override
    public Live findUnexpired(Instant now) {
        return queries.findUnexpired(now);
    }

    @Override
    public Live findUnexpired(Set<LeaseId> leases, Instant now) {
        return queries.findUnexpired(leases, now);
    }

    @Override
    public void shorten(LeaseId lease, Collection<ReservationId> reservations, Instant end) {
        jdbc.update(
                SHORTEN,
                end.atOffset(ZoneOffset.UTC),
                lease.value(),
                SqlArrays.uuids(reservations));
    }

    @Override
    public int deleteEndedBefore(Instant instant, int limit) {
        return jdbc.update(DELETE_ENDED, instant.atOffset(ZoneOffset.UTC), limit);
    }

    private record Candidate(
            ResourceId resource, long marker, boolean kept, int index, @Nullable String share) {}
}
