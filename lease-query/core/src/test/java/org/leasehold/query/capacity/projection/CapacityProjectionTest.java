package org.leasehold.query.capacity.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.leasehold.query.booking.BookingEventLog.host;
import static org.leasehold.query.booking.BookingEventLog.lease;
import static org.leasehold.query.booking.BookingEventLog.minute;
import static org.leasehold.query.booking.BookingEventLog.reservation;
import static org.leasehold.query.booking.BookingEventLog.share;
import static org.leasehold.query.booking.BookingEventLog.window;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.calendar.Shortage;
import org.leasehold.history.DerivedRows;
import org.leasehold.history.DerivedRows.Moment;
import org.leasehold.history.DerivedRows.Row;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.UseObserved;
import org.leasehold.query.account.ResourceKinds;
import org.leasehold.query.booking.AllocationPeriod;
import org.leasehold.query.booking.BookingEventLog;
import org.leasehold.query.booking.LeaseBookings;
import org.leasehold.query.booking.RandomLeases;
import org.leasehold.query.capacity.PostgresCapacities;
import org.leasehold.query.projection.RebuildableProjection;
import org.leasehold.query.rebuild.Rebuild;
import org.leasehold.readmodel.capacity.Capacities;
import org.leasehold.readmodel.capacity.Capacities.AskCapacity;
import org.leasehold.readmodel.capacity.Capacities.Bucket;
import org.leasehold.readmodel.capacity.Capacities.Extreme;
import org.leasehold.readmodel.capacity.Capacities.Series;
import org.leasehold.readmodel.capacity.Capacities.Standing;
import org.leasehold.readmodel.capacity.Capacities.TooManySeries;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.Share;
import org.leasehold.vocabulary.UserId;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

class CapacityProjectionTest {

    private static final Instant FROM = minute(-60);
    private static final Instant TO = minute(480);
    private static final Requirement V100 = new Comparison(Operator.EQUAL, "gpu", "V100");
    private static final Requirement FAST = new Comparison(Operator.EQUAL, "ssd", "yes");

    private static final String FILTER = "resource_properties";
    private static final String ONLY_FAST = filter("ssd", "yes");

    /** Filters, and the hosts that meet them. */
    private static final Map<String, Predicate<Map<String, String>>> WISHES =
            Map.of(
                    "",
                    _ -> true,
                    filter("gpu", "V100"),
                    host -> "V100".equals(host.get("gpu")),
                    filter("gpu", "A100"),
                    host -> "A100".equals(host.get("gpu")),
                    filter("gpu", "H100"),
                    _ -> false,
                    ONLY_FAST,
                    host -> host.containsKey("ssd"),
                    "[\">\", \"$vcpus\", \"18\"]",
                    host -> "20".equals(host.get("vcpus")),
                    "[\"not\", %s]".formatted(ONLY_FAST),
                    host -> !host.containsKey("ssd"),
                    // Hosts have no racks: a request for one cannot be granted.
                    "[\"or\", %s, %s]".formatted(ONLY_FAST, filter("rack", "7")),
                    _ -> false,
                    "no filter",
                    _ -> false);

    private static String filter(String property, String value) {
        return "[\"==\", \"$%s\", \"%s\"]".formatted(property, value);
    }

    private static BookingEventLog journal;
    private static CapacityProjection tables;
    private static Capacities capacities;

    @BeforeAll
    static void open() {
        journal = new BookingEventLog();
        tables = new CapacityProjection(journal.jdbc(), journal.streams());
        capacities =
                new PostgresCapacities(
                        journal.database.client(), journal.database.transactionManager());
    }

    @AfterAll
    static void close() {
        journal.close();
    }

    @BeforeEach
    void empty() {
        journal.empty();
        for (int host = 1; host <= RandomLeases.HOSTS; host++) {
            journal.enrol(host, "physical:host");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void capacity_equals_a_minute_by_minute_computation(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        live(random, 100);

        assertThat(violations()).isEmpty();
        long head = journal.database.head();
        for (AskCapacity question : questions(null)) {
            assertThat(capacities.findSeries(question)).isEqualTo(minuteByMinute(question, head));
        }
        for (int i = 0; i < 5; i++) {
            long position = random.nextLong(1, head + 1);
            for (AskCapacity question : questions(position)) {
                assertThat(capacities.findSeries(question))
                        .as("as of " + position)
                        .isEqualTo(minuteByMinute(question, position));
            }
        }
    }

    @Test
    void an_hour_is_the_average_of_the_minutes() {
        live(new SplittableRandom(9), 100);
        BigDecimal rounded = new BigDecimal("0.000001");

        for (Bucket hour : capacities.findSeries(ask(FROM, TO)).getFirst().buckets()) {
            List<Standing> minutes = minutes(hour);
            assertThat(average(minutes, Standing::enrolled))
                    .isCloseTo(hour.enrolled(), within(rounded));
            assertThat(average(minutes, Standing::reservable))
                    .isCloseTo(hour.reservable(), within(rounded));
            assertThat(average(minutes, Standing::reserved))
                    .isCloseTo(hour.reserved(), within(rounded));
            assertThat(average(minutes, Standing::active))
                    .isCloseTo(hour.active(), within(rounded));
        }
        assertThat(capacities.capacityAt(minute(90)))
                .extracting(Standing::kind)
                .containsExactly(ResourceKind.PHYSICAL_HOST);
    }

    private static List<Standing> minutes(Bucket hour) {
        List<Standing> minutes = new ArrayList<>();
        for (Instant at = hour.starts(); at.isBefore(hour.ends()); at = at.plusSeconds(60)) {
            minutes.add(capacities.capacityAt(at).getFirst());
        }
        return minutes;
    }

    private static BigDecimal average(
            List<Standing> minutes, Function<Standing, BigDecimal> amount) {
        BigDecimal sum = minutes.stream().map(amount).reduce(BigDecimal.ZERO, BigDecimal::add);
        return sum.divide(BigDecimal.valueOf(minutes.size()), 6, RoundingMode.HALF_UP);
    }

    @Test
    void random_leases_cover_each_measure() {
        live(new SplittableRandom(1), 100);

        Series series = capacities.findSeries(questions(null).getFirst()).getFirst();
        assertThat(series.shortage()).isNotNull();
        assertThat(series.buckets())
                .anyMatch(bucket -> bucket.active().signum() > 0)
                .anyMatch(bucket -> bucket.reserved().compareTo(bucket.active()) > 0)
                .anyMatch(bucket -> bucket.idle().signum() > 0)
                .anyMatch(bucket -> bucket.active().compareTo(bucket.idle()) > 0)
                .anyMatch(bucket -> bucket.reservable().compareTo(bucket.enrolled()) < 0)
                .anyMatch(bucket -> bucket.refused().signum() > 0);
        assertThat(
                        capacities.findSeries(
                                question(null, Requirement.none(), "gpu", FROM, TO, 9, null)))
                .filteredOn(each -> refused(each).signum() > 0)
                .extracting(Series::value)
                .containsExactly("A100", "V100", null);
        assertThat(count("SELECT count(DISTINCT pool_id) FROM capacity_member")).isGreaterThan(2);
    }

    @Test
    void a_rebuild_restores_the_same_rows() {
        live(new SplittableRandom(7), 120);
        List<List<Map<String, Object>>> before = rows();
        journal.jdbc().execute("DELETE FROM capacity_change; DELETE FROM capacity_member");

        rebuild();

        assertThat(rows()).isEqualTo(before).noneMatch(List::isEmpty);
        assertThat(violations()).isEmpty();
    }

    /** A query of several tables would otherwise see some of them before others are replaced. */
    @Test
    void a_query_during_a_rebuild_returns_the_same_answer() throws Exception {
        live(new SplittableRandom(7), 120);
        AskCapacity question = question(null, Requirement.none(), "zone", FROM, TO, 1, null);
        AtomicBoolean isRebuilt = new AtomicBoolean();
        Callable<Set<List<Series>>> asking =
                () -> {
                    Set<List<Series>> answers = new HashSet<>();
                    while (!isRebuilt.get()) {
                        answers.add(capacities.findSeries(question));
                    }
                    return answers;
                };
        try (ExecutorService readers = Executors.newFixedThreadPool(2)) {
            List<Future<Set<List<Series>>>> results =
                    List.of(readers.submit(asking), readers.submit(asking));
            try {
                for (int i = 0; i < 10; i++) {
                    rebuild();
                }
            } finally {
                isRebuilt.set(true);
            }
            for (Future<Set<List<Series>>> each : results) {
                assertThat(each.get()).containsExactly(capacities.findSeries(question));
            }
        }
    }

    private static void rebuild() {
        new Rebuild(
                        journal.database.dataSource(),
                        journal.database.transactionManager(),
                        journal.database)
                .run(List.of(new RebuildableProjection(journal.jdbc(), tables)), _ -> {});
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM capacity_span WHERE ctid = (SELECT min(ctid) FROM capacity_span)",
                "UPDATE capacity_span SET ends = ends + interval '1 microsecond'",
                "UPDATE capacity_span SET slots = slots + 1",
                "UPDATE capacity_span SET needs = NULL",
                "UPDATE capacity_member SET reservable = NOT reservable",
                "UPDATE capacity_member SET totals = '{\"VCPU\": 15}'",
                "UPDATE capacity_member SET starts = starts - interval '1 microsecond'",
                "UPDATE capacity_member SET pool_id = gen_random_uuid()",
                "UPDATE capacity_pool SET zone = 'north'",
                "UPDATE capacity_refusal SET unmet = unmet + 1",
                "UPDATE capacity_refusal SET wish = gen_random_uuid()",
                "UPDATE capacity_pool SET wish = wish || ' ' WHERE wish <> ''",
                "DELETE FROM capacity_pool WHERE wish = (SELECT min(wish) FROM capacity_pool)",
                "DELETE FROM capacity_pool WHERE wish = (SELECT max(wish) FROM capacity_pool)",
                "DELETE FROM capacity_change WHERE ctid = (SELECT min(ctid) FROM capacity_change)",
                "UPDATE capacity_change SET reserved = reserved + 1",
                "UPDATE capacity_change SET idle = idle + 1",
                "UPDATE capacity_hour SET idle_time = idle_time + 1",
                "UPDATE capacity_look SET servers = servers + 1",
                "DELETE FROM capacity_look WHERE ctid = (SELECT min(ctid) FROM capacity_look)",
                "UPDATE capacity_span SET ends = ends + interval '1 s' WHERE what = 'IDLE'",
                "DELETE FROM capacity_span WHERE what = 'IDLE'",
                "UPDATE capacity_hour SET active_time = active_time + 1",
                "UPDATE capacity_hour SET reserved_high = reserved_high + 1",
                "UPDATE capacity_hour SET hour = hour + interval '1000 hours'"
            })
    void a_manipulation_is_reported(String mischief) {
        live(new SplittableRandom(8), 60);
        assertThat(violations()).isEmpty();

        journal.jdbc().execute(mischief);

        assertThat(violations()).isNotEmpty();
    }

    @Test
    void a_share_counts_as_the_part_that_it_takes() {
        journal.book(1, "astronomy", window(0, 60), share(1, 3), host(2));
        follow();

        Bucket bucket = first(ask(minute(0), minute(60)));

        assertThat(bucket.reserved()).isEqualByComparingTo("1.75");
        assertThat(bucket.enrolled()).isEqualByComparingTo("4");
        assertThat(bucket.headroom()).isEqualByComparingTo("2.25");
    }

    @Test
    void a_share_of_volume_space_counts_by_the_space() {
        journal.happen(
                -10,
                new ResourceDescribed(
                        new ResourceId(1), null, "west", Map.of("VOLUME_GB", 100), List.of()));
        journal.book(
                1,
                "astronomy",
                window(0, 60),
                host(1).shared(new Share(30, Map.of("VOLUME_GB", 1L, "VCPU", 0L))));
        follow();

        assertThat(first(ask(minute(0), minute(60))).reserved()).isEqualByComparingTo("0.3");
    }

    @Test
    void a_bucket_contains_the_average_of_the_hour() {
        journal.book(1, "astronomy", window(15, 45), host(1));
        journal.book(2, "astronomy", window(30, 75), host(2));
        follow();

        Series series = capacities.findSeries(ask(minute(0), minute(120))).getFirst();

        assertThat(series.buckets())
                .extracting(bucket -> bucket.reserved().stripTrailingZeros().toPlainString())
                .containsExactly("1", "0.25");
        assertThat(series.mostReserved())
                .isEqualTo(new Extreme(minute(30), new BigDecimal("2.000000")));
    }

    @Test
    void a_whole_host_that_runs_no_server_counts_as_idle() {
        journal.book(1, "astronomy", window(0, 60), host(1), share(2, 2));
        journal.start(0, 1);
        journal.see(10, 1, 1, 0, 0);
        journal.see(10, 1, 2, 0, 0);
        follow();
        Bucket seenOnce = first(ask(minute(0), minute(60)));
        journal.see(40, 1, 1, 2, 8);
        follow();
        Bucket seenTwice = first(ask(minute(0), minute(60)));
        journal.end(25, 1, EndCause.REQUESTED);
        follow();
        Bucket ended = first(ask(minute(0), minute(60)));

        assertThat(seenOnce.active()).isEqualByComparingTo("1.5");
        assertThat(seenOnce.idle())
                .isCloseTo(new BigDecimal("0.833333"), within(new BigDecimal("0.000001")));
        assertThat(seenTwice.idle()).isEqualByComparingTo("0.5");
        assertThat(ended.idle()).isEqualByComparingTo("0.25");
        assertThat(violations()).isEmpty();
    }

    @Test
    void a_shortage_begins_when_less_is_left_than_wanted() {
        journal.book(1, "astronomy", window(70, 500), host(1), host(2));
        journal.book(2, "astronomy", window(130, 140), host(3));
        journal.book(3, "astronomy", window(200, 210), host(3), host(4));
        follow();

        assertThat(shortage(1)).isEqualTo(new Extreme(minute(200), new BigDecimal("0.000000")));
        assertThat(shortage(2)).isEqualTo(new Extreme(minute(130), new BigDecimal("1.000000")));
        assertThat(shortage(3)).isEqualTo(new Extreme(minute(70), new BigDecimal("2.000000")));
        assertThat(shortage(5)).isEqualTo(new Extreme(FROM, new BigDecimal("4.000000")));
        journal.end(0, 3, EndCause.DELETED);
        follow();
        assertThat(shortage(1)).isNull();
    }

    @Test
    void a_refusal_counts_over_the_requested_window() {
        refuse(0, 7, "", 3, 30, 90);
        follow();

        assertThat(first(ask(minute(0), minute(60))).refused()).isEqualByComparingTo("1.5");
    }

    @Test
    void a_refusal_counts_for_a_selection_of_all_suitable_hosts() {
        label(1, "ssd", "yes");
        label(3, "ssd", "yes");
        refuse(0, 7, ONLY_FAST, 3, 0, 60);
        refuse(0, 8, filter("gpu", "V100"), 5, 0, 60);
        follow();

        assertThat(refused("west", Requirement.none(), null)).containsExactly("null=3");
        assertThat(refused("east", Requirement.none(), null)).containsExactly("null=0");
        assertThat(refused(null, FAST, null)).containsExactly("null=3");
        assertThat(refused("west", FAST, "gpu")).containsExactly("V100=3");
        assertThat(refused(null, V100, null)).containsExactly("null=8");
        assertThat(refused(null, Requirement.none(), "gpu")).containsExactly("V100=8");
        assertThat(refused(null, V100, "zone")).containsExactly("east=0", "west=3", "null=5");
        assertThat(refused(null, Requirement.none(), "zone"))
                .containsExactly("east=0", "west=3", "null=5");
    }

    @Test
    void a_refusal_without_suitable_hosts_counts_for_the_whole_kind() {
        refuse(0, 7, filter("gpu", "H100"), 3, 0, 60);
        refuse(0, 8, filter("hypervisor_hostname", "compute-1"), 5, 0, 60);
        follow();

        assertThat(refused(null, Requirement.none(), null)).containsExactly("null=8");
        assertThat(refused(null, Requirement.none(), "gpu")).containsExactly("V100=0", "null=8");
        assertThat(refused(null, V100, null)).containsExactly("null=0");
        assertThat(refused(null, V100, "zone")).containsExactly("east=0", "west=0");
    }

    @Test
    void a_later_suitable_host_does_not_affect_an_earlier_as_of_query() {
        label(1, "ssd", "yes");
        refuse(0, 7, ONLY_FAST, 3, 0, 60);
        long before = journal.database.head();
        label(2, "ssd", "yes");
        follow();

        AskCapacity west =
                question("west", Requirement.none(), null, minute(0), minute(60), 1, null);
        assertThat(first(west).refused()).isEqualByComparingTo("0");
        assertThat(first(asOf(west, before)).refused()).isEqualByComparingTo("3");
    }

    @Test
    void a_refused_change_counts_by_the_requested_filter() {
        label(1, "ssd", "yes");
        journal.book(1, "astronomy", window(0, 60), host(1));
        journal.append(0, changeRefusal(1, ONLY_FAST, 2, window(0, 60)));
        follow();

        assertThat(refused(null, FAST, null)).containsExactly("null=1");
        assertThat(violations()).isEmpty();
    }

    @Test
    void a_refused_change_does_not_count_hosts_that_the_lease_has() {
        journal.book(1, "astronomy", window(0, 60), host(1));
        follow();
        journal.append(30, changeRefusal(1, "", 3, window(0, 90)));
        follow();

        assertThat(first(ask(minute(0), minute(60))).refused()).isEqualByComparingTo("1");
        assertThat(first(ask(minute(60), minute(120))).refused()).isEqualByComparingTo("1.5");
        assertThat(violations()).isEmpty();
    }

    private static LeaseChangeRefused changeRefusal(
            long lease, String filter, int wanted, LeasePeriod period) {
        return new LeaseChangeRefused(
                lease(lease),
                period,
                List.of(wish(lease, filter)),
                List.of(shortage(lease, ResourceKind.PHYSICAL_HOST, wanted, period)),
                0);
    }

    @Test
    void a_refused_server_counts_for_the_requested_zone() {
        journal.enrol(8, "virtual:server");
        journal.enrol(9, "virtual:server");
        journal.append(
                0,
                refusal(
                        7,
                        new ReservationWish(
                                reservation(7),
                                ResourceKind.SERVER,
                                Map.of(
                                        "server_id",
                                        "00000000-0000-0000-0000-000000000007",
                                        "server",
                                        Map.of(
                                                "availability_zone",
                                                "east",
                                                "vcpus",
                                                4,
                                                "memory_mb",
                                                512,
                                                "local_gb",
                                                10))),
                        shortage(7, ResourceKind.SERVER, 1, window(0, 60))));
        follow();

        assertThat(refused(ResourceKind.SERVER, null, Requirement.none(), "zone"))
                .containsExactly("east=1", "west=0");
    }

    @Test
    void the_groups_of_refusals_add_up_to_the_total() {
        live(new SplittableRandom(4), 100);
        List<Bucket> whole = capacities.findSeries(ask(FROM, TO)).getFirst().buckets();
        assertThat(whole).anyMatch(bucket -> bucket.refused().signum() > 0);

        for (String by : List.of("zone", "gpu", "ssd", "vcpus", "rack")) {
            List<Series> parts =
                    capacities.findSeries(
                            question(null, Requirement.none(), by, FROM, TO, 1, null));
            for (int hour = 0; hour < whole.size(); hour++) {
                int index = hour;
                assertThat(
                                parts.stream()
                                        .map(part -> part.buckets().get(index).refused())
                                        .reduce(BigDecimal.ZERO, BigDecimal::add))
                        .as("by %s in hour %d", by, hour)
                        .isCloseTo(whole.get(hour).refused(), within(new BigDecimal("0.00001")));
            }
        }
    }

    @Test
    void only_a_limited_number_of_requirements_is_distinguished() {
        label(1, "ssd", "yes");
        for (int i = 0; i < RefusedRequirement.MAX_DISTINCT_REQUESTS; i++) {
            refuse(0, 10 + i, filter("gpu", "G" + i), 1, 0, 60);
        }
        follow();
        refuse(0, 8, ONLY_FAST, 5, 0, 60);
        refuse(0, 9, filter("gpu", "G0"), 1, 0, 60);
        label(2, "gpu", "G0");
        follow();

        assertThat(refused(null, FAST, null)).containsExactly("null=0");
        assertThat(refused(null, Requirement.none(), "gpu"))
                .containsExactly(
                        "G0=2",
                        "V100=0",
                        "null=" + (RefusedRequirement.MAX_DISTINCT_REQUESTS - 1 + 5));
        assertThat(violations()).isEmpty();
        List<List<Map<String, Object>>> before = rows();
        rebuild();
        assertThat(rows()).isEqualTo(before);
        journal.jdbc()
                .update(
                        "INSERT INTO capacity_pool VALUES (?, ?, NULL, NULL, '{}', ?)",
                        CapacityPool.ofRequest(
                                        ResourceKind.PHYSICAL_HOST, "[\"==\",\"$ssd\",\"yes\"]")
                                .id(),
                        "physical:host",
                        "[\"==\",\"$ssd\",\"yes\"]");
        assertThat(violations()).isNotEmpty();
    }

    @Test
    void refusals_beyond_the_range_of_a_long_are_counted() {
        // In milliseconds that exceeds a long.
        int times = 1300;
        for (int i = 0; i < times; i++) {
            refuse(0, 7 + i, "", Integer.MAX_VALUE, 0, 60);
        }
        follow();

        BigDecimal all = new BigDecimal((long) times * Integer.MAX_VALUE);
        AskCapacity now = ask(minute(0), minute(60));
        assertThat(first(now).refused()).isEqualByComparingTo(all);
        assertThat(first(asOf(now, journal.database.head())).refused()).isEqualByComparingTo(all);
        assertThat(violations()).isEmpty();
    }

    @Test
    void events_of_different_clocks_cause_no_violation() {
        ResourceId host = new ResourceId(1);
        journal.happen(10, new ResourceDisabled(host, "it is broken", List.of()));
        journal.happen(9, new ResourceChanged(host, Map.of("gpu", "A100"), Set.of()));
        follow();
        journal.happen(8, new ResourceEnabled(host));
        follow();

        assertThat(violations()).isEmpty();
        assertThat(first(ask(minute(0), minute(60))).reservable()).isEqualByComparingTo("4");
    }

    @Test
    void an_irrelevant_change_of_a_host_adds_no_row() {
        journal.happen(
                10,
                new ResourceDescribed(
                        new ResourceId(1),
                        null,
                        "west",
                        Map.of("vcpus", 16, "cpu_info", "another"),
                        List.of()));
        follow();

        assertThat(count("SELECT count(*) FROM capacity_member")).isEqualTo(RandomLeases.HOSTS);
    }

    @Test
    void a_query_for_too_many_series_is_rejected() {
        for (int i = 0; i < 6; i++) {
            journal.happen(
                    i,
                    new ResourceChanged(new ResourceId(1), Map.of("gpu", "model-" + i), Set.of()));
        }
        follow();
        Instant to = minute(60L * Capacities.MAX_BUCKETS);

        assertThatThrownBy(
                        () ->
                                capacities.findSeries(
                                        question(
                                                null,
                                                Requirement.none(),
                                                "gpu",
                                                minute(0),
                                                to,
                                                1,
                                                null)))
                .isInstanceOf(TooManySeries.class)
                .hasMessageContaining("5");
    }

    @Test
    void a_kind_without_resources_has_a_series_of_zeros() {
        Series series =
                capacities
                        .findSeries(
                                new AskCapacity(
                                        new ResourceKind("virtual:floatingip"),
                                        null,
                                        Requirement.none(),
                                        null,
                                        FROM,
                                        TO,
                                        Capacities.BUCKET_UNIT,
                                        1,
                                        null))
                        .getFirst();

        assertThat(series.buckets()).hasSize(9).allMatch(bucket -> bucket.enrolled().signum() == 0);
        assertThat(series.shortage()).isEqualTo(new Extreme(FROM, new BigDecimal("0.000000")));
    }

    @Test
    void the_peak_is_exact_in_a_query_over_many_hours() {
        for (int i = 0; i < 40; i++) {
            journal.book(i + 1, "astronomy", window(60L * i + 10, 60L * i + 20), host(1));
            journal.book(100 + i, "astronomy", window(60L * i + 20, 60L * i + 30), host(2));
        }
        journal.book(90, "astronomy", window(35L * 60 + 25, 36L * 60), host(3));
        follow();

        Series series = capacities.findSeries(ask(minute(0), minute(40L * 60))).getFirst();

        assertThat(series.mostReserved())
                .isEqualTo(new Extreme(minute(35L * 60 + 25), new BigDecimal("2.000000")));
    }

    private static @Nullable Extreme shortage(int wanted) {
        return capacities
                .findSeries(
                        new AskCapacity(
                                ResourceKind.PHYSICAL_HOST,
                                null,
                                Requirement.none(),
                                null,
                                FROM,
                                TO,
                                Duration.ofHours(3),
                                wanted,
                                null))
                .getFirst()
                .shortage();
    }

    private static AskCapacity ask(Instant from, Instant to) {
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

    private static AskCapacity asOf(AskCapacity question, long position) {
        return question(
                question.zone(),
                question.requirement(),
                question.by(),
                question.from(),
                question.to(),
                1,
                position);
    }

    /** Returns the refusals in the first hour after noon, by value. */
    private static List<String> refused(
            @Nullable String zone, Requirement requirement, @Nullable String by) {
        return refused(ResourceKind.PHYSICAL_HOST, zone, requirement, by);
    }

    private static List<String> refused(
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

    private static BigDecimal refused(Series series) {
        return series.buckets().stream()
                .map(Bucket::refused)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static Bucket first(AskCapacity question) {
        return capacities.findSeries(question).getFirst().buckets().getFirst();
    }

    private static List<AskCapacity> questions(@Nullable Long asOf) {
        Requirement all = Requirement.none();
        return List.of(
                question(null, all, null, FROM, TO, 1, asOf),
                question(null, all, "zone", FROM, TO, 2, asOf),
                question(null, all, "gpu", minute(60), minute(240), 5, asOf),
                question("east", V100, null, minute(0), minute(420), 4, asOf),
                question("west", FAST, "vcpus", minute(0), minute(420), 7, asOf),
                question(null, V100, "zone", minute(0), minute(420), 7, asOf));
    }

    private static AskCapacity question(
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

    /** Appends random leases and hosts; sometimes a host fails, gets other properties, or moves. */
    private static void live(SplittableRandom random, int events) {
        label(1, "ssd", "yes");
        List<String> filters = WISHES.keySet().stream().sorted().toList();
        SplittableRandom others = random.split();
        Map<Long, Boolean> retired = new TreeMap<>();
        new RandomLeases(journal, random, CapacityProjectionTest::follow)
                .with(
                        minute -> {
                            if (others.nextInt(4) == 0) {
                                refuse(
                                        minute,
                                        1000 + minute,
                                        filters.get(others.nextInt(filters.size())),
                                        1 + others.nextInt(3),
                                        minute + 10,
                                        minute + 60);
                            }
                            if (others.nextInt(2) == 0) {
                                see(others, minute);
                            }
                            long number = 1L + others.nextInt(RandomLeases.HOSTS);
                            if (others.nextInt(4) == 0 && !retired.containsKey(number)) {
                                ResourceEvent event = happening(others, new ResourceId(number));
                                journal.happen(minute, event);
                                if (event instanceof ResourceRetired) {
                                    retired.put(number, true);
                                }
                            }
                        })
                .live(events);
    }

    /** Observes a use, sometimes by a clock that is behind. */
    private static void see(SplittableRandom random, long minute) {
        journal.see(
                minute - (random.nextInt(4) == 0 ? random.nextInt(30) : 0),
                random.nextLong(1, RandomLeases.LEASES + 1L),
                random.nextLong(1, 3),
                random.nextLong(1, RandomLeases.HOSTS + 1L),
                random.nextInt(2),
                8);
    }

    private static ResourceEvent happening(SplittableRandom random, ResourceId resource) {
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> new ResourceDisabled(resource, "it is broken", List.of());
            case 3, 4, 5 -> new ResourceEnabled(resource);
            case 6, 7 -> new ResourceChanged(resource, Map.of("gpu", "A100"), Set.of());
            case 8 -> new ResourceChanged(resource, Map.of(), Set.of("gpu"));
            case 9 -> new ResourceDescribed(resource, null, "east", Map.of("vcpus", 20), List.of());
            case 10 ->
                    new ResourceDescribed(resource, null, null, Map.of("vcpus", "20"), List.of());
            default ->
                    resource.value() == 4
                            ? new ResourceRetired(resource)
                            : new ResourceEnabled(resource);
        };
    }

    private static void label(long host, String name, String value) {
        journal.happen(
                -500, new ResourceChanged(new ResourceId(host), Map.of(name, value), Set.of()));
    }

    private static void refuse(
            long at, long lease, String filter, int wanted, long start, long end) {
        journal.append(
                at,
                refusal(
                        lease,
                        wish(lease, filter),
                        shortage(lease, ResourceKind.PHYSICAL_HOST, wanted, window(start, end))));
    }

    private static LeaseRefused refusal(long lease, ReservationWish wish, Shortage shortage) {
        return new LeaseRefused(
                lease(lease),
                new ProjectId("astronomy"),
                new UserId("ada"),
                "a lease",
                shortage.part(),
                null,
                List.of(wish),
                List.of(shortage),
                0);
    }

    private static ReservationWish wish(long lease, String filter) {
        return new ReservationWish(
                reservation(lease),
                ResourceKind.PHYSICAL_HOST,
                Map.of("min", 1, "max", 1, "hypervisor_properties", "", FILTER, filter));
    }

    private static Shortage shortage(
            long lease, ResourceKind kind, int wanted, LeasePeriod window) {
        return new Shortage(reservation(lease), kind, wanted, 4, 0, window, 0, null);
    }

    private static void follow() {
        journal.follow();
        journal.database.follow(tables);
    }

    private static long count(String sql) {
        return journal.database.client().sql(sql).query(Long.class).single();
    }

    private static List<List<Map<String, Object>>> rows() {
        return tables.tables().stream()
                .map(
                        table ->
                                journal.jdbc()
                                        .queryForList(
                                                "SELECT t::text FROM %s t ORDER BY 1"
                                                        .formatted(table)))
                .toList();
    }

    /** Returns what {@code verify} reports. */
    private static List<String> violations() {
        List<String> found = new ArrayList<>();
        for (var invariant :
                List.of(
                        CapacityInvariants.CHANGES_MATCH_BOOKINGS,
                        CapacityInvariants.OBSERVATIONS_MATCH_EVENTS,
                        CapacityInvariants.IDLE_SPANS_MATCH_OBSERVATIONS,
                        CapacityInvariants.FIRST_REQUESTS_HAVE_POOLS,
                        CapacityInvariants.HOURS_MATCH_CHANGES)) {
            journal.jdbc()
                    .queryForList(invariant.violations())
                    .forEach(row -> found.add(row.toString()));
        }
        Moment moment =
                new Moment(
                        Instant.now(), 0, Map.of(Capacities.READ_MODEL, journal.database.head()));
        List<RecordedEvent> inventory = new ArrayList<>();
        Map<String, List<RecordedEvent>> leases = new LinkedHashMap<>();
        for (RecordedEvent event : history(journal.database.head())) {
            if (event.event() instanceof ResourceEvent) {
                inventory.add(event);
            } else if (event.event() instanceof LeaseEvent) {
                leases.computeIfAbsent(event.stream(), _ -> new ArrayList<>()).add(event);
            }
        }
        found.addAll(different(new CapacityMemberRows(), List.of(inventory), moment));
        found.addAll(different(new CapacitySpanRows(), leases.values(), moment));
        found.addAll(
                different(
                        new CapacityRefusalRows(new ResourceKinds(journal.jdbc())),
                        leases.values(),
                        moment));
        return found;
    }

    private static List<String> different(
            DerivedRows rows, Iterable<List<RecordedEvent>> subjects, Moment moment) {
        List<String> expected = new ArrayList<>();
        for (List<RecordedEvent> subject : subjects) {
            rows.expectedRows(subject, moment).stream().map(Row::toString).forEach(expected::add);
        }
        List<String> found = new ArrayList<>();
        try (Connection connection = journal.database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(rows.query())) {
            while (row.next()) {
                found.add(rows.parseRow(row).toString());
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        expected.sort(null);
        found.sort(null);
        return expected.equals(found) ? List.of() : List.of(expected + " but " + found);
    }

    private static List<RecordedEvent> history(long last) {
        try (Connection connection = journal.database.dataSource().getConnection()) {
            return journal.database.readAfter(connection, 0, Integer.MAX_VALUE).stream()
                    .filter(event -> event.position() <= last)
                    .toList();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Computes the same without the tables: everything here happens on the minute. */
    private static List<Series> minuteByMinute(AskCapacity question, long last) {
        Map<String, List<RecordedEvent>> streams = new LinkedHashMap<>();
        for (RecordedEvent event : history(last)) {
            streams.computeIfAbsent(event.stream(), _ -> new ArrayList<>()).add(event);
        }
        List<PoolMember> members = new ArrayList<>();
        List<AllocationPeriod> stretches = new ArrayList<>();
        List<RecordedEvent> looks = new ArrayList<>();
        for (List<RecordedEvent> life : streams.values()) {
            switch (life.getFirst().event()) {
                case ResourceEvent _ -> members.addAll(PoolMember.of(life));
                case UseObserved _ -> looks.addAll(life);
                case LeaseRefused _ -> {}
                default -> stretches.addAll(LeaseBookings.of(life).periods());
            }
        }
        Map<String, List<PoolMember>> series = new TreeMap<>();
        if (question.by() == null) {
            series.put("", new ArrayList<>());
        }
        // A pool is known from its first member on, even one after the query's position.
        List<PoolMember> known = new ArrayList<>();
        for (List<RecordedEvent> life : lives(history(journal.database.head()))) {
            known.addAll(PoolMember.of(life));
        }
        for (PoolMember member : known) {
            if (isMeant(question, member)) {
                series.computeIfAbsent(value(question, member), _ -> new ArrayList<>());
            }
        }
        for (PoolMember member : members) {
            if (isMeant(question, member)) {
                series.get(value(question, member)).add(member);
            }
        }
        Map<String, List<LeaseRefused>> refusals = new TreeMap<>();
        for (RecordedEvent event : history(journal.database.head())) {
            if (event.event() instanceof LeaseRefused refused) {
                Set<String> values = refusedOf(question, refused, members);
                for (String value : values) {
                    series.computeIfAbsent(value, _ -> new ArrayList<>());
                    refusals.computeIfAbsent(value, _ -> new ArrayList<>());
                    if (event.position() <= last) {
                        refusals.get(value).add(refused);
                    }
                }
            }
        }
        List<Series> result = new ArrayList<>();
        series.forEach(
                (value, ofValue) ->
                        result.add(
                                new Minutes(
                                                question,
                                                ofValue,
                                                stretches,
                                                looks,
                                                refusals.getOrDefault(value, List.of()))
                                        .series(value.isEmpty() ? null : value)));
        // Those without a value come last.
        if (question.by() != null && !result.isEmpty() && result.getFirst().value() == null) {
            result.add(result.removeFirst());
        }
        return result;
    }

    private static Iterable<List<RecordedEvent>> lives(List<RecordedEvent> history) {
        Map<String, List<RecordedEvent>> lives = new LinkedHashMap<>();
        for (RecordedEvent event : history) {
            if (event.event() instanceof ResourceEvent) {
                lives.computeIfAbsent(event.stream(), _ -> new ArrayList<>()).add(event);
            }
        }
        return lives.values();
    }

    private static boolean isMeant(AskCapacity question, PoolMember member) {
        Map<String, String> properties = member.pool().properties();
        return (question.zone() == null || question.zone().equals(member.pool().zone()))
                && properties != null
                && question.requirement().isMetBy(properties);
    }

    /** Returns the value of a refusal; an empty set if it is not requested. */
    private static Set<String> refusedOf(
            AskCapacity question, LeaseRefused refused, List<PoolMember> members) {
        Object filter = refused.reservations().getFirst().parameters().get(FILTER);
        List<PoolMember> suitable =
                members.stream()
                        .filter(each -> WISHES.get(filter).test(each.pool().properties()))
                        .toList();
        boolean isOfAll =
                question.zone() == null && question.requirement().equals(Requirement.none());
        if (!suitable.stream().allMatch(each -> isMeant(question, each))
                || (suitable.isEmpty() && !isOfAll)) {
            return Set.of();
        }
        List<String> values =
                suitable.stream().map(each -> value(question, each)).distinct().toList();
        return Set.of(values.size() == 1 ? values.getFirst() : "");
    }

    private static String value(AskCapacity question, PoolMember member) {
        Map<String, String> properties = member.pool().properties();
        String by = question.by();
        if (by == null || properties == null) {
            return "";
        }
        String value = by.equals("zone") ? member.pool().zone() : properties.get(by);
        return value == null ? "" : value;
    }

    private record Minutes(
            AskCapacity question,
            List<PoolMember> members,
            List<AllocationPeriod> stretches,
            List<RecordedEvent> looks,
            List<LeaseRefused> refusals) {

        Series series(@Nullable String value) {
            List<Bucket> buckets = new ArrayList<>();
            for (Instant starts = question.from();
                    starts.isBefore(question.to());
                    starts = starts.plus(question.bucket())) {
                Instant ends = starts.plus(question.bucket());
                ends = ends.isAfter(question.to()) ? question.to() : ends;
                buckets.add(
                        new Bucket(
                                starts,
                                ends,
                                average(starts, ends, this::enrolled),
                                average(starts, ends, this::reservable),
                                average(starts, ends, this::reserved),
                                average(starts, ends, this::active),
                                average(starts, ends, this::idle),
                                average(starts, ends, this::refused)));
            }
            Extreme maxReserved = extreme(at -> -reserved(at), Long.MAX_VALUE);
            return new Series(
                    value,
                    buckets,
                    new Extreme(maxReserved.at(), maxReserved.amount().negate()),
                    extreme(at -> reservable(at) - reserved(at), Long.MAX_VALUE),
                    shortage());
        }

        private BigDecimal average(Instant starts, Instant ends, ToLongFunction<Instant> amount) {
            long sum = 0;
            for (Instant at = starts; at.isBefore(ends); at = at.plusSeconds(60)) {
                sum += amount.applyAsLong(at);
            }
            return BigDecimal.valueOf(sum, 6)
                    .divide(
                            BigDecimal.valueOf(Duration.between(starts, ends).toMinutes()),
                            6,
                            RoundingMode.HALF_UP);
        }

        private Extreme extreme(ToLongFunction<Instant> amount, long worst) {
            Instant when = question.from();
            long least = worst;
            for (Instant at = question.from();
                    at.isBefore(question.to());
                    at = at.plusSeconds(60)) {
                if (amount.applyAsLong(at) < least) {
                    least = amount.applyAsLong(at);
                    when = at;
                }
            }
            return new Extreme(when, BigDecimal.valueOf(least, 6));
        }

        private @Nullable Extreme shortage() {
            for (Instant at = question.from();
                    at.isBefore(question.to());
                    at = at.plusSeconds(60)) {
                long left = reservable(at) - reserved(at);
                if (left < 1_000_000L * question.wanted()) {
                    return new Extreme(at, BigDecimal.valueOf(left, 6));
                }
            }
            return null;
        }

        private static boolean covers(Instant starts, @Nullable Instant ends, Instant at) {
            return !starts.isAfter(at) && (ends == null || ends.isAfter(at));
        }

        private long enrolled(Instant at) {
            return 1_000_000
                    * members.stream()
                            .filter(each -> covers(each.starts(), each.ends(), at))
                            .count();
        }

        private long reservable(Instant at) {
            return 1_000_000
                    * members.stream()
                            .filter(each -> each.reservable())
                            .filter(each -> covers(each.starts(), each.ends(), at))
                            .count();
        }

        private long reserved(Instant at) {
            return taken(at, AllocationPeriod::slots);
        }

        private long active(Instant at) {
            return taken(at, stretch -> Math.min(stretch.slots(), stretch.given()));
        }

        private long idle(Instant at) {
            return taken(
                    at,
                    stretch ->
                            stretch.promised() != null
                                            && stretch.promised().share() == null
                                            && isEmpty(stretch, at)
                                    ? Math.min(stretch.slots(), stretch.given())
                                    : 0);
        }

        /** Returns whether it was idle by the last recorded observation up to then. */
        private boolean isEmpty(AllocationPeriod stretch, Instant at) {
            boolean empty = false;
            for (RecordedEvent look : looks) {
                UseObserved seen = (UseObserved) look.event();
                if (seen.reservationId().equals(stretch.reservation())
                        && seen.resourceId().equals(stretch.resource())
                        && !look.decidedAt().isAfter(at)) {
                    empty = seen.servers() == 0;
                }
            }
            return empty;
        }

        private long taken(Instant at, ToLongFunction<AllocationPeriod> slots) {
            long taken = 0;
            for (AllocationPeriod stretch : stretches) {
                for (PoolMember member : members) {
                    if (member.resource().equals(stretch.resource())
                            && covers(stretch.starts(), stretch.ends(), at)
                            && covers(member.starts(), member.ends(), at)) {
                        taken += part(stretch, slots.applyAsLong(stretch), member);
                    }
                }
            }
            return taken;
        }

        private static long part(AllocationPeriod stretch, long slots, PoolMember member) {
            if (slots == 0 || stretch.promised() == null) {
                return 0;
            }
            Share share = stretch.promised().share();
            return share == null
                    ? 1_000_000
                    : Math.min(
                            1_000_000,
                            slots * 4 * 1_000_000 / member.totals().getOrDefault("VCPU", 1L));
        }

        private long refused(Instant at) {
            return 1_000_000
                    * refusals.stream()
                            .filter(each -> covers(each.period().start(), each.period().end(), at))
                            .mapToLong(each -> each.shortages().getFirst().wanted())
                            .sum();
        }
    }
}
