package org.leasehold.query.metering;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.EventStreams;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.query.account.ResourceKinds;
import org.leasehold.query.projection.LeaseRequests;
import org.leasehold.readmodel.calendar.BookingCalendar;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.usage.Metering;
import org.leasehold.readmodel.usage.UsageRecord;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/** Queries of usage, computed from the events; only the readings' instants are stored. */
final class PostgresMetering implements Metering {

    private static final String READING_EXISTS =
            "SELECT EXISTS (SELECT FROM meter_reading WHERE at >= ?)";

    // While the row is locked the feed does not advance: a consumer of an event after this position
    // sees the reading.
    private static final String LOCK_POSITION =
            "SELECT position FROM projection WHERE name = ? FOR UPDATE";

    private static final String INSERT_READING =
            """
            INSERT INTO meter_reading (at, position)
            SELECT ?, ? WHERE NOT EXISTS (SELECT FROM meter_reading WHERE at >= ?)
            """;

    private static final String READINGS =
            """
            SELECT at, position,
                (SELECT max(b.at) FROM meter_reading b WHERE b.at < meter_reading.at) AS before
            FROM meter_reading
            WHERE at > ? AND position <= (SELECT p.position FROM projection p WHERE p.name = ?)
            ORDER BY at LIMIT ?
            """;

    private static final String READINGS_BETWEEN =
            """
            SELECT at, position, NULL::timestamptz AS before FROM meter_reading
            WHERE position < ?
              AND at >= coalesce(
                (SELECT max(b.at) FROM meter_reading b WHERE b.position <= ?), '-infinity')
            ORDER BY at
            """;

    private static final String SELECT_RUNNING_LEASES =
            """
            SELECT DISTINCT lease_id FROM booking
            WHERE what = 'PROMISED' AND starts < ? AND ends > coalesce(?::timestamptz, '-infinity')
              AND known_from <= ? AND (known_to IS NULL OR known_to > ?)
            ORDER BY lease_id
            """;

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;
    private final EventStreams streams;
    private final ResourceKinds kinds;

    PostgresMetering(JdbcTemplate jdbc, TransactionTemplate transaction, EventStreams streams) {
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.streams = streams;
        this.kinds = new ResourceKinds(jdbc);
    }

    @Override
    public void recordReading(Instant at) {
        OffsetDateTime instant = at.atOffset(ZoneOffset.UTC);
        if (Boolean.TRUE.equals(jdbc.queryForObject(READING_EXISTS, Boolean.class, instant))) {
            return;
        }
        transaction.executeWithoutResult(
                _ -> {
                    Long standing =
                            jdbc.queryForObject(LOCK_POSITION, Long.class, EventFeed.READ_MODEL);
                    jdbc.update(INSERT_READING, instant, standing, instant);
                });
    }

    @Override
    public List<Reading> readings(Instant after, int limit) {
        return jdbc.query(
                READINGS,
                (row, _) -> reading(row),
                after.atOffset(ZoneOffset.UTC),
                BookingCalendar.READ_MODEL,
                limit);
    }

    private static Reading reading(ResultSet row) throws SQLException {
        OffsetDateTime before = row.getObject("before", OffsetDateTime.class);
        return new Reading(
                row.getObject("at", OffsetDateTime.class).toInstant(),
                row.getLong("position"),
                before == null ? null : before.toInstant());
    }

    @Override
    public List<LeaseId> runningLeases(Reading reading) {
        @Nullable Instant before = reading.before();
        return jdbc.query(
                SELECT_RUNNING_LEASES,
                (row, _) -> new LeaseId(row.getObject(1, UUID.class)),
                reading.at().atOffset(ZoneOffset.UTC),
                before == null ? null : before.atOffset(ZoneOffset.UTC),
                reading.position(),
                reading.position());
    }

    @Override
    public List<UsageRecord> usageOfEvents(Collection<LeaseId> leases, long after, long through) {
        // It is read after the events: see above.
        List<Reading> readings =
                jdbc.query(READINGS_BETWEEN, (row, _) -> reading(row), through, after);
        List<LeaseUsage> usages = new ArrayList<>();
        for (List<RecordedEvent> life : eventStreams(leases, through)) {
            Meter.ofEvents(life, readings, after)
                    .forEach(
                            (event, lines) ->
                                    usages.add(
                                            new LeaseUsage(
                                                    life, "event " + event.sequence(), lines)));
        }
        return records(usages);
    }

    @Override
    public List<UsageRecord> usageOfReading(Reading reading, Collection<LeaseId> leases) {
        List<LeaseUsage> usages = new ArrayList<>();
        for (List<RecordedEvent> life : eventStreams(leases, reading.position())) {
            usages.add(new LeaseUsage(life, "at " + reading.at(), Meter.ofReading(life, reading)));
        }
        return records(usages);
    }

    /**
     * The lines of one reading of a meter.
     *
     * @param when identifies the reading of the lease's meter
     */
    private record LeaseUsage(
            List<RecordedEvent> life, String when, List<AccountDifferenceLine> lines) {}

    private Collection<List<RecordedEvent>> eventStreams(Collection<LeaseId> leases, long through) {
        List<String> ids = leases.stream().map(LeaseId::toString).toList();
        ConnectionCallback<List<RecordedEvent>> reading =
                connection -> streams.read(connection, ids, through);
        return Objects.requireNonNull(jdbc.execute(reading)).stream()
                .collect(
                        Collectors.groupingBy(
                                RecordedEvent::stream, TreeMap::new, Collectors.toList()))
                .values();
    }

    private List<UsageRecord> records(List<LeaseUsage> usages) {
        Map<ResourceId, ResourceKind> resources =
                kinds.of(
                        usages.stream()
                                .flatMap(each -> each.lines().stream())
                                .map(AccountDifferenceLine::resource)
                                .collect(Collectors.toUnmodifiableSet()));
        List<UsageRecord> records = new ArrayList<>();
        for (LeaseUsage each : usages) {
            if (!each.lines().isEmpty()) {
                add(each, resources, records);
            }
        }
        return records;
    }

    private static void add(
            LeaseUsage usage, Map<ResourceId, ResourceKind> resources, List<UsageRecord> records) {
        LeaseRequested request = LeaseRequests.find(usage.life()).orElseThrow();
        Map<ReservationId, ResourceKind> reservations = reservations(request, usage.life());
        int number = 0;
        for (AccountDifferenceLine line : usage.lines()) {
            String name = "usage of %s %s %s".formatted(request.leaseId(), usage.when(), number);
            number++;
            records.add(
                    new UsageRecord(
                            UUID.nameUUIDFromBytes(name.getBytes(UTF_8)),
                            request.leaseId(),
                            request.projectId(),
                            line.reservation(),
                            Objects.requireNonNull(reservations.get(line.reservation())),
                            line.resource(),
                            Objects.requireNonNull(resources.get(line.resource())),
                            line.allocation(),
                            line.from(),
                            line.until(),
                            line.active(),
                            line.lost()));
        }
    }

    private static Map<ReservationId, ResourceKind> reservations(
            LeaseRequested request, List<RecordedEvent> life) {
        Map<ReservationId, ResourceKind> reservations = new LinkedHashMap<>();
        request.reservations().forEach(wish -> reservations.put(wish.id(), wish.kind()));
        for (RecordedEvent event : life) {
            if (event.event() instanceof ReservationAdded(_, var wish)) {
                reservations.put(wish.id(), wish.kind());
            }
        }
        return reservations;
    }
}
