package org.leasehold.query.capacity.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.leasehold.query.booking.BookingEventLog.minute;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.booking.RandomLeases;
import org.leasehold.readmodel.capacity.Capacities.AskCapacity;
import org.leasehold.readmodel.capacity.Capacities.Bucket;
import org.leasehold.readmodel.capacity.Capacities.Series;
import org.leasehold.readmodel.capacity.Capacities.Standing;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** The tables of capacity against the events that they follow from. */
class CapacityProjectionTest extends CapacityTablesFixture {

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

    private List<Series> minuteByMinute(AskCapacity question, long last) {
        return new ExpectedCapacity(
                        new CapacityViolations(journal).history(journal.database.head()))
                .series(question, last);
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

    private List<Standing> minutes(Bucket hour) {
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
}
