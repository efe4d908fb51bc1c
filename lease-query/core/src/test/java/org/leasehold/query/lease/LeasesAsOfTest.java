package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.lease.LeaseFixtures.ASTRONOMY;
import static org.leasehold.query.lease.LeaseFixtures.BIOLOGY;
import static org.leasehold.query.lease.LeaseFixtures.NOON;
import static org.leasehold.query.lease.LeaseFixtures.PERIOD;
import static org.leasehold.query.lease.LeaseFixtures.host;
import static org.leasehold.query.lease.LeaseFixtures.hosts;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEndAnnounced;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/** A test of leases as they were known at any instant since their request. */
class LeasesAsOfTest {

    private static final LeaseId LEASE = LeaseFixtures.lease(1);
    private static final ReservationId RESERVATION = LeaseFixtures.reservation(1);

    private static Database database;

    private final LeaseEventLog journal = new LeaseEventLog(database);
    private final Leases leases = PostgresLeasesFixture.leases(database, journal);
    private final EventLogPositions positions =
            new PostgresEventLogPositions(JdbcClient.create(database.dataSource()));

    @BeforeAll
    static void start() {
        database = new Database();
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @BeforeEach
    void empty() {
        database.empty();
    }

    private Optional<LeaseView> asOf(Instant instant) {
        return leases.find(LEASE, ASTRONOMY, positions.at(instant));
    }

    private static Instant second(long second) {
        return NOON.plusSeconds(second);
    }

    @Test
    void an_instant_maps_to_the_last_position_recorded_by_that_instant() {
        assertThat(positions.at(NOON)).isZero();
        for (int i = 1; i <= 20; i++) {
            journal.append(
                    second(i),
                    LeaseFixtures.requested(LeaseFixtures.lease(i), ASTRONOMY, "lease " + i));
        }
        // A transaction that failed leaves positions without an event.
        database.jdbc().update("DELETE FROM domain_event WHERE position % 3 = 0");
        List<Long> left =
                database.jdbc()
                        .queryForList(
                                "SELECT position FROM domain_event ORDER BY position", Long.class);
        List<Instant> times =
                database
                        .jdbc()
                        .queryForList(
                                "SELECT recorded_at FROM domain_event ORDER BY position",
                                Timestamp.class)
                        .stream()
                        .map(Timestamp::toInstant)
                        .toList();

        assertThat(positions.at(times.getFirst().minusNanos(1_000))).isZero();
        for (int i = 0; i < left.size(); i++) {
            assertThat(positions.at(times.get(i))).isEqualTo(left.get(i));
            assertThat(positions.at(times.get(i).plusNanos(999))).isEqualTo(left.get(i));
            assertThat(positions.at(times.get(i).minusNanos(1)))
                    .isEqualTo(i == 0 ? 0 : left.get(i - 1));
        }
        assertThat(positions.at(second(1_000))).isEqualTo(positions.last());
    }

    @Test
    void a_lease_exists_from_the_request_until_the_deletion() {
        journal.append(second(10), LeaseFixtures.requested(LEASE, ASTRONOMY, "night"));
        journal.append(second(20), new LeaseDeleted(LEASE));

        assertThat(asOf(second(9))).isEmpty();
        assertThat(asOf(second(10))).isPresent();
        assertThat(asOf(second(19))).isPresent();
        assertThat(asOf(second(20))).isEmpty();
    }

    @Test
    void a_past_query_does_not_find_a_refused_lease() {
        journal.append(
                second(10),
                new LeaseRefused(
                        LEASE,
                        ASTRONOMY,
                        LeaseFixtures.ADA,
                        "night",
                        PERIOD,
                        null,
                        List.of(hosts(RESERVATION, 1, 2)),
                        List.of(),
                        0,
                        null));

        assertThat(asOf(second(11))).isEmpty();
    }

    @Test
    void a_query_for_several_leases_equals_the_single_queries() {
        for (int i = 1; i <= 4; i++) {
            journal.append(
                    second(i),
                    LeaseFixtures.requested(LeaseFixtures.lease(i), ASTRONOMY, "lease " + i));
        }
        journal.append(second(5), new LeaseRenamed(LeaseFixtures.lease(2), "another name"));
        journal.append(second(6), new LeaseDeleted(LeaseFixtures.lease(3)));
        journal.append(second(7), new LeaseRenamed(LeaseFixtures.lease(1), "too late"));
        long then = positions.at(second(6));

        Set<LeaseId> asked =
                Set.of(
                        LeaseFixtures.lease(1),
                        LeaseFixtures.lease(2),
                        LeaseFixtures.lease(3),
                        LeaseFixtures.lease(9));
        assertThat(leases.find(asked, then))
                .hasSize(2)
                .isEqualTo(
                        Map.of(
                                LeaseFixtures.lease(1),
                                leases.find(LeaseFixtures.lease(1), null, then).orElseThrow(),
                                LeaseFixtures.lease(2),
                                leases.find(LeaseFixtures.lease(2), null, then).orElseThrow()));
        assertThat(leases.find(Set.of(), then)).isEmpty();
    }

    @Test
    void a_past_lease_of_another_project_is_not_found() {
        journal.append(second(10), LeaseFixtures.requested(LEASE, ASTRONOMY, "night"));

        long then = positions.at(second(10));
        assertThat(leases.find(LEASE, BIOLOGY, then)).isEmpty();
        assertThat(leases.find(LEASE, null, then)).isPresent();
    }

    @Test
    void a_past_lease_equals_the_lease_stored_at_that_instant() {
        for (int seed = 1; seed <= 20; seed++) {
            live(new SplittableRandom(seed), LeaseFixtures.lease(100 + seed), seed * 1_000L);
        }
    }

    private void live(SplittableRandom random, LeaseId lease, long begin) {
        ReservationId reservation =
                LeaseFixtures.reservation(lease.value().getLeastSignificantBits());
        List<Instant> times = new ArrayList<>();
        List<Optional<LeaseView>> stored = new ArrayList<>();
        long now = begin;
        for (LeaseEvent[] command : life(random, lease, reservation)) {
            now += random.nextInt(1, 10);
            journal.append(second(now), command);
            times.add(second(now));
            stored.add(leases.find(lease, ASTRONOMY));
            // Other leases have events meanwhile.
            journal.append(
                    second(now),
                    LeaseFixtures.requested(
                            LeaseFixtures.lease(random.nextLong(1 << 30, 1L << 60)), BIOLOGY, "x"));
        }
        for (int i = 0; i < times.size(); i++) {
            assertThat(leases.find(lease, ASTRONOMY, positions.at(times.get(i))))
                    .isEqualTo(stored.get(i));
            assertThat(leases.find(lease, ASTRONOMY, positions.at(times.get(i).minusMillis(1))))
                    .isEqualTo(i == 0 ? Optional.empty() : stored.get(i - 1));
        }
    }

    /** Returns possible commands of a lease, with the events of each. */
    private static List<LeaseEvent[]> life(
            SplittableRandom random, LeaseId lease, ReservationId reservation) {
        List<LeaseEvent[]> life = new ArrayList<>();
        add(
                life,
                LeaseFixtures.requested(lease, ASTRONOMY, "night", hosts(reservation, 1, 2)),
                LeaseFixtures.granted(lease, reservation, host(1), host(2)));
        for (int i = random.nextInt(6); i > 0; i--) {
            add(life, change(random, lease, reservation, i));
        }
        if (random.nextBoolean()) {
            add(life, new LeaseDelayed(lease, List.of(), "another has it"));
        }
        add(
                life,
                new ResourceReplaced(
                        lease, reservation, host(1).resource(), host(3), "it is out of service"),
                new LeaseStarting(lease, List.of()));
        add(life, new ReservationActivated(lease, reservation), new LeaseActivated(lease));
        for (int i = random.nextInt(6); i > 0; i--) {
            add(life, new LeaseRenamed(lease, "running " + i));
        }
        add(life, new LeaseEndAnnounced(lease));
        add(life, new LeaseEnding(lease, EndCause.DELETED, List.of()));
        add(
                life,
                new ReservationReleased(lease, reservation),
                new LeaseEnded(lease, EndCause.DELETED),
                new LeaseDeleted(lease));
        return life;
    }

    private static void add(List<LeaseEvent[]> life, LeaseEvent... events) {
        life.add(events);
    }

    private static LeaseEvent[] change(
            SplittableRandom random, LeaseId lease, ReservationId reservation, int number) {
        LeasePeriod later =
                new LeasePeriod(PERIOD.start(), PERIOD.end().plus(Duration.ofHours(number)));
        return random.nextBoolean()
                ? new LeaseEvent[] {new LeaseRenamed(lease, "name " + number)}
                : new LeaseEvent[] {
                    new LeaseRescheduled(lease, later, null),
                    LeaseFixtures.granted(lease, reservation, host(1), host(3 + number))
                };
    }

    /** Logs a figure for readers; benchmarks are elsewhere. */
    @Test
    void a_past_lease_of_50_events_has_version_50() {
        journal.append(
                NOON,
                LeaseFixtures.requested(LEASE, ASTRONOMY, "night", hosts(RESERVATION, 1, 2)),
                LeaseFixtures.granted(LEASE, RESERVATION, host(1), host(2)));
        for (int i = 2; i < 50; i++) {
            journal.append(second(i), new LeaseRenamed(LEASE, "name " + i));
        }
        long[] took = new long[1_000];
        for (int i = 0; i < took.length; i++) {
            long began = System.nanoTime();
            assertThat(asOf(second(49)).orElseThrow().version()).isEqualTo(50);
            took[i] = System.nanoTime() - began;
        }
        Arrays.sort(took);
        System.out.printf(
                Locale.ROOT,
                "A lease of 50 events as of an instant: p50 %.1f ms, p99 %.1f ms%n",
                took[500] / 1e6,
                took[990] / 1e6);
    }
}
