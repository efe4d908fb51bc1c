package org.leasehold.query.booking;

import org.leasehold.history.DerivedRows.Moment;
import org.leasehold.history.DerivedRows.Row;
import org.leasehold.history.EventStreams;
import org.leasehold.history.Invariant;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.UseObserved;
import org.leasehold.query.lease.EventJson;
import org.leasehold.query.projection.EventDatabase;
import org.leasehold.query.projection.RebuildableProjection;
import org.leasehold.query.rebuild.Rebuild;
import org.leasehold.readmodel.calendar.BookingCalendar;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;
import org.leasehold.vocabulary.Tenure;
import org.leasehold.vocabulary.UserId;
import org.springframework.jdbc.core.JdbcTemplate;

import tools.jackson.databind.json.JsonMapper;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Leases as events in a database, with their bookings; times are minutes after noon. */
public final class BookingEventLog implements AutoCloseable {

    public static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    private static final JsonMapper JSON = EventJson.mapper();
    private static final Map<String, Class<?>> EVENTS =
            Stream.concat(
                            Stream.of(LeaseEvent.class, ResourceEvent.class)
                                    .flatMap(
                                            events ->
                                                    Arrays.stream(events.getPermittedSubclasses())),
                            Stream.of(UseObserved.class))
                    .collect(Collectors.toMap(Class::getSimpleName, Function.identity()));

    public final EventDatabase database = new EventDatabase(BookingEventLog::decode);
    final BookingProjection table = new BookingProjection(database.jdbc(), database);
    final BookingCalendar calendar = new PostgresCalendar(database.client());

    private static Object decode(String type, String payload) {
        Class<?> known = EVENTS.get(type);
        return known == null ? type : JSON.readValue(payload, known);
    }

    public void empty() {
        database.jdbc()
                .execute(
                        """
                        TRUNCATE domain_event RESTART IDENTITY;
                        TRUNCATE booking, observed_use, capacity_pool, capacity_member, capacity_span,
                            capacity_look, capacity_refusal, capacity_change, capacity_hour, meter_reading;
                        UPDATE projection SET position = 0;
                        """);
    }

    public static Instant minute(long minute) {
        return NOON.plus(Duration.ofMinutes(minute));
    }

    public static LeasePeriod window(long start, long end) {
        return new LeasePeriod(minute(start), minute(end));
    }

    public static LeaseId lease(long number) {
        return new LeaseId(new UUID(1, number));
    }

    /** Returns the first reservation of a lease. */
    public static ReservationId reservation(long lease) {
        return reservation(lease, 1);
    }

    public static ReservationId reservation(long lease, long number) {
        return new ReservationId(new UUID(2, 10 * lease + number));
    }

    public static Allocation host(long number) {
        return new Allocation(new ResourceId(number), "compute-" + number, Map.of("gpu", "V100"));
    }

    public static Allocation share(long number, int slots) {
        return host(number).shared(new Share(slots, Map.of("VCPU", 4L, "MEMORY_MB", 512L)));
    }

    static Tenure tenure(ReservationId reservation) {
        return new Tenure(reservation, 1);
    }

    /** Enrols a resource in one of two zones, with sixteen processors. */
    public void enrol(long resource, String kind) {
        happen(
                -600,
                new ResourceEnrolled(
                        new ResourceId(resource),
                        new ResourceKind(kind),
                        "compute-" + resource,
                        null,
                        resource % 2 == 0 ? "east" : "west",
                        Map.of("vcpus", 16),
                        Map.of("gpu", "V100")));
    }

    /** Appends an event of a resource, at a minute. */
    public void happen(long at, ResourceEvent event) {
        database.append(
                "Resource",
                event.resourceId().toString(),
                event.getClass().getSimpleName(),
                JSON.writeValueAsString(event),
                "{}",
                minute(at));
    }

    /** Observes the use of a host of a lease's first reservation, at a minute. */
    public void see(long at, long lease, long host, int servers, int vcpus) {
        see(at, lease, 1, host, servers, vcpus);
    }

    /** Observes the use of a host of any of its reservations. */
    public void see(long at, long lease, long reservation, long host, int servers, int vcpus) {
        UseObserved seen =
                new UseObserved(
                        lease(lease),
                        new ProjectId("astronomy"),
                        reservation(lease, reservation),
                        new ResourceId(host),
                        servers,
                        vcpus);
        database.append(
                "Use",
                seen.stream(),
                UseObserved.class.getSimpleName(),
                JSON.writeValueAsString(seen),
                "{}",
                minute(at));
    }

    void request(long at, long lease, String project) {
        append(
                at,
                new LeaseRequested(
                        lease(lease),
                        new ProjectId(project),
                        new UserId("ada"),
                        "a lease",
                        window(0, 1),
                        null,
                        List.of(wish(reservation(lease, 1)), wish(reservation(lease, 2))),
                        null));
    }

    private static ReservationWish wish(ReservationId reservation) {
        return new ReservationWish(reservation, ResourceKind.PHYSICAL_HOST, Map.of());
    }

    public void grant(long at, long lease, LeasePeriod period, Allocation... allocations) {
        append(
                at,
                new ReservationGranted(
                        lease(lease),
                        reservation(lease),
                        period,
                        Duration.ofMinutes(5),
                        List.of(allocations)));
    }

    /** Requests and grants a lease at noon. */
    public void book(long lease, String project, LeasePeriod period, Allocation... allocations) {
        request(0, lease, project);
        grant(0, lease, period, allocations);
    }

    /** Starts a lease, whose resources are given at once. */
    public void start(long at, long lease) {
        append(
                at,
                new LeaseStarting(lease(lease), List.of(tenure(reservation(lease)))),
                new ReservationActivated(lease(lease), reservation(lease)));
    }

    public void end(long at, long lease, EndCause cause) {
        append(at, new LeaseEnding(lease(lease), cause, List.of(tenure(reservation(lease)))));
    }

    public void append(long at, LeaseEvent... events) {
        for (LeaseEvent event : events) {
            database.append(
                    "Lease",
                    event.leaseId().toString(),
                    event.getClass().getSimpleName(),
                    JSON.writeValueAsString(event),
                    "{}",
                    minute(at));
        }
    }

    public void follow() {
        database.follow(table);
    }

    public JdbcTemplate jdbc() {
        return database.jdbc();
    }

    public EventStreams streams() {
        return database;
    }

    void rebuild() {
        new Rebuild(database.dataSource(), database.transactionManager(), database)
                .run(List.of(new RebuildableProjection(database.jdbc(), table)), _ -> {});
    }

    /** Returns the events of leases, by lease. */
    public Map<String, List<RecordedEvent>> lives() {
        return events(LeaseEvent.class).stream()
                .collect(
                        Collectors.groupingBy(
                                RecordedEvent::stream, LinkedHashMap::new, Collectors.toList()));
    }

    /** Returns the events of one sort, in order. */
    List<RecordedEvent> events(Class<?> sort) {
        try (Connection connection = database.dataSource().getConnection()) {
            return database.readAfter(connection, 0, Integer.MAX_VALUE).stream()
                    .filter(event -> sort.isInstance(event.event()))
                    .toList();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns what {@code verify} reports for the table. */
    List<String> differences() {
        BookingRows rows = new BookingRows();
        Moment moment =
                new Moment(
                        Instant.now(),
                        0,
                        Map.of(
                                BookingCalendar.READ_MODEL,
                                database.client()
                                        .sql("SELECT position FROM projection WHERE name = ?")
                                        .param(BookingCalendar.READ_MODEL)
                                        .query(Long.class)
                                        .single()));
        List<String> differences = new ArrayList<>();
        Map<String, Map<String, Row>> found = new TreeMap<>();
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(rows.query())) {
            while (row.next()) {
                String lease = row.getString(1);
                Row there = rows.parseRow(row);
                found.computeIfAbsent(lease, _ -> new TreeMap<>()).put(there.key(), there);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        lives().forEach(
                        (lease, life) -> {
                            Map<String, Row> there =
                                    found.containsKey(lease) ? found.remove(lease) : Map.of();
                            Map<String, Row> expected = new TreeMap<>();
                            rows.expectedRows(life, moment)
                                    .forEach(row -> expected.put(row.key(), row));
                            if (!expected.equals(new TreeMap<>(there))) {
                                differences.add(lease + ": " + expected + " but " + there);
                            }
                        });
        differences.addAll(found.keySet());
        for (Invariant invariant :
                List.of(
                        BookingRows.BOOKING_KINDS_MATCH_RESOURCES,
                        BookingRows.OBSERVED_USES_MATCH_EVENTS)) {
            database.jdbc()
                    .queryForList(invariant.violations())
                    .forEach(row -> differences.add(row.toString()));
        }
        return differences;
    }

    @Override
    public void close() {
        database.close();
    }
}
