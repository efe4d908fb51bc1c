package org.leasehold.query.capacity.projection;

import static org.leasehold.query.booking.BookingEventLog.lease;
import static org.leasehold.query.booking.BookingEventLog.minute;
import static org.leasehold.query.booking.BookingEventLog.reservation;
import static org.leasehold.query.booking.BookingEventLog.window;
import static org.leasehold.query.capacity.projection.RequestedFilters.FILTER;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.leasehold.calendar.Shortage;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.ReservationWish;
import org.leasehold.query.booking.BookingEventLog;
import org.leasehold.query.booking.RandomLeases;
import org.leasehold.query.capacity.PostgresCapacities;
import org.leasehold.query.projection.RebuildableProjection;
import org.leasehold.query.rebuild.Rebuild;
import org.leasehold.readmodel.capacity.Capacities;
import org.leasehold.readmodel.capacity.Capacities.AskCapacity;
import org.leasehold.readmodel.capacity.Capacities.Bucket;
import org.leasehold.readmodel.capacity.Capacities.Series;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** The tables of capacity behind an event log, which is empty before each test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CapacityTablesFixture {

    static final Instant FROM = minute(-60);
    static final Instant TO = minute(480);
    static final Requirement V100 = new Comparison(Operator.EQUAL, "gpu", "V100");
    static final Requirement FAST = new Comparison(Operator.EQUAL, "ssd", "yes");

    final BookingEventLog journal = new BookingEventLog();
    final CapacityProjection tables = new CapacityProjection(journal.jdbc(), journal.streams());
    final Capacities capacities =
            new PostgresCapacities(
                    journal.database.client(), journal.database.transactionManager());

    @AfterAll
    void close() {
        journal.close();
    }

    @BeforeEach
    void empty() {
        journal.empty();
        for (int host = 1; host <= RandomLeases.HOSTS; host++) {
            journal.enrol(host, "physical:host");
        }
    }

    void follow() {
        journal.follow();
        journal.database.follow(tables);
    }

    void label(long host, String name, String value) {
        journal.happen(
                -500, new ResourceChanged(new ResourceId(host), Map.of(name, value), Set.of()));
    }

    void refuse(long at, long lease, String filter, int wanted, long start, long end) {
        journal.append(
                at,
                refusal(
                        lease,
                        wish(lease, filter),
                        shortage(lease, ResourceKind.PHYSICAL_HOST, wanted, window(start, end))));
    }

    static LeaseRefused refusal(long lease, ReservationWish wish, Shortage shortage) {
        return new LeaseRefused(
                lease(lease),
                new ProjectId("astronomy"),
                new UserId("ada"),
                "a lease",
                shortage.part(),
                null,
                List.of(wish),
                List.of(shortage),
                0,
                null);
    }

    static ReservationWish wish(long lease, String filter) {
        return new ReservationWish(
                reservation(lease),
                ResourceKind.PHYSICAL_HOST,
                Map.of("min", 1, "max", 1, "hypervisor_properties", "", FILTER, filter));
    }

    static Shortage shortage(long lease, ResourceKind kind, int wanted, LeasePeriod window) {
        return new Shortage(reservation(lease), kind, wanted, 4, 0, window, 0, null);
    }

    static AskCapacity ask(Instant from, Instant to) {
        return new AskCapacity(
                ResourceKind.PHYSICAL_HOST,
                null,
                Requirement.none(),
                null,
                from,
                to,
                Capacities.BUCKET_UNIT,
                1,
                null);
    }

    static AskCapacity asOf(AskCapacity question, long position) {
        return question(
                question.zone(),
                question.requirement(),
                question.by(),
                question.from(),
                question.to(),
                1,
                position);
    }

    static AskCapacity question(
            @Nullable String zone,
            Requirement requirement,
            @Nullable String by,
            Instant from,
            Instant to,
            int hours,
            @Nullable Long asOf) {
        return new AskCapacity(
                ResourceKind.PHYSICAL_HOST,
                zone,
                requirement,
                by,
                from,
                to,
                Duration.ofHours(hours),
                1,
                asOf);
    }

    Bucket first(AskCapacity question) {
        return capacities.findSeries(question).getFirst().buckets().getFirst();
    }

    /** Returns the refusals in the first hour after noon, by value. */
    List<String> refused(@Nullable String zone, Requirement requirement, @Nullable String by) {
        return refused(ResourceKind.PHYSICAL_HOST, zone, requirement, by);
    }

    List<String> refused(
            ResourceKind kind,
            @Nullable String zone,
            Requirement requirement,
            @Nullable String by) {
        return capacities
                .findSeries(
                        new AskCapacity(
                                kind,
                                zone,
                                requirement,
                                by,
                                minute(0),
                                minute(60),
                                Capacities.BUCKET_UNIT,
                                1,
                                null))
                .stream()
                .map(
                        each ->
                                each.value()
                                        + "="
                                        + refused(each).stripTrailingZeros().toPlainString())
                .toList();
    }

    static BigDecimal refused(Series series) {
        return series.buckets().stream()
                .map(Bucket::refused)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    void live(SplittableRandom random, int events) {
        new RandomCapacityEvents(this).live(random, events);
    }

    long count(String sql) {
        return journal.database.client().sql(sql).query(Long.class).single();
    }

    List<List<Map<String, Object>>> rows() {
        return tables.tables().stream()
                .map(
                        table ->
                                journal.jdbc()
                                        .queryForList(
                                                "SELECT t::text FROM %s t ORDER BY 1"
                                                        .formatted(table)))
                .toList();
    }

    void rebuild() {
        new Rebuild(
                        journal.database.dataSource(),
                        journal.database.transactionManager(),
                        journal.database)
                .run(List.of(new RebuildableProjection(journal.jdbc(), tables)), _ -> {});
    }

    /** Returns what {@code verify} reports. */
    List<String> violations() {
        return new CapacityViolations(journal).find();
    }
}
