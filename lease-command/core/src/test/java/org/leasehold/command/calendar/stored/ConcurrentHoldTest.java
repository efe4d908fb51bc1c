package org.leasehold.command.calendar.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.Grant;
import org.springframework.dao.DataIntegrityViolationException;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;

class ConcurrentHoldTest {

    private final PostgresCalendarFixture database = new PostgresCalendarFixture();
    private final StoredCalendar calendar = database.calendar();

    @Test
    void concurrent_requests_get_every_host_without_overbooking() throws Exception {
        database.withHosts(40);
        List<Callable<Grant>> racers = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            racers.add(() -> settle(lease(hours(0, 1), hosts(1, 1)).hold()));
        }
        assertThatAllOf40AreShared(PostgresCalendarFixture.race(racers));
    }

    @Test
    void requests_on_two_nodes_get_every_host_without_overbooking() throws Exception {
        database.withHosts(40);
        Calendar otherNode = database.calendar();
        List<Callable<Grant>> racers = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            Calendar node = i % 2 == 0 ? calendar : otherNode;
            racers.add(() -> database.settle(node, lease(hours(0, 1), hosts(1, 1)).hold()));
        }
        assertThatAllOf40AreShared(PostgresCalendarFixture.race(racers));
    }

    private void assertThatAllOf40AreShared(List<Grant> grants) {
        assertThat(grants).filteredOn(Grant.Held.class::isInstance).hasSize(40);
        assertThat(grants).filteredOn(Grant.HoldRefused.class::isInstance).hasSize(24);
        assertThat(database.claims("")).hasSize(40);
        assertThat(database.overlaps()).isZero();
    }

    @Test
    void surplus_candidates_are_not_claimed() throws Exception {
        database.withHosts(60);
        Calendar otherNode = database.calendar();
        List<Callable<Grant>> racers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Calendar node = i % 2 == 0 ? calendar : otherNode;
            racers.add(() -> database.settle(node, lease(hours(0, 1), hosts(1, 1)).hold()));
        }
        assertThat(PostgresCalendarFixture.race(racers)).allMatch(Grant.Held.class::isInstance);
        assertThat(database.claims("")).hasSize(40);
    }

    @Test
    void concurrent_leases_of_two_reservations_finish_without_overbooking() throws Exception {
        database.withHosts(30);
        List<Callable<Grant>> racers = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 64; i++) {
            int from = random.nextInt(6);
            SampleRequests.SampleLease lease =
                    lease(
                            hours(from, from + 1 + random.nextInt(3)),
                            hosts(1 + random.nextInt(3), 4),
                            hosts(1, 1 + random.nextInt(3)));
            racers.add(() -> settle(lease.hold()));
        }
        List<Grant> grants = PostgresCalendarFixture.race(racers);
        assertThat(grants).filteredOn(Grant.Held.class::isInstance).hasSizeGreaterThan(10);
        assertThat(database.overlaps()).isZero();
    }

    @Test
    void concurrent_changes_cause_no_overlap_and_lose_no_claim() throws Exception {
        database.withHosts(12);
        List<SampleRequests.SampleLease> leases = new ArrayList<>();
        List<List<Long>> held = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            SampleRequests.SampleLease lease = lease(hours(i % 2, i % 2 + 1), hosts(1, 1));
            Grant.Held grant = (Grant.Held) settle(lease.hold());
            leases.add(lease);
            held.add(SampleRequests.ids(grant.allocations().get(lease.reservation())));
        }
        List<Callable<Grant>> racers = new ArrayList<>();
        for (int i = 0; i < leases.size(); i++) {
            SampleRequests.SampleLease lease = leases.get(i);
            List<Long> current = held.get(i);
            int from = i % 2 == 0 ? 1 : 0;
            racers.add(
                    () ->
                            settle(
                                    lease.change(
                                            hours(from + 2, from + 4),
                                            hosts(1, 1),
                                            current,
                                            false)));
        }
        PostgresCalendarFixture.race(racers);
        assertThat(database.overlaps()).isZero();
        assertThat(database.claims("")).hasSize(24);
    }

    @Test
    void a_host_gets_no_claim_after_it_is_disabled() throws Exception {
        database.withHosts(24);
        List<Callable<Map<Long, Integer>>> racers = new ArrayList<>();
        for (long host = 1; host <= 24; host++) {
            racers.add(
                    () -> {
                        settle(lease(hours(0, 1), hosts(1, 1)).hold());
                        return Map.of();
                    });
            if (host % 2 == 0) {
                long disabled = host;
                racers.add(() -> Map.of(disabled, claimsWhenDisabled(disabled)));
            }
        }
        Map<Long, Integer> seen = new HashMap<>();
        PostgresCalendarFixture.race(racers).forEach(seen::putAll);
        // The disabling transaction saw all claims under its lock; no claim was added later.
        assertThat(seen).hasSize(12);
        seen.forEach(
                (host, claims) ->
                        assertThat(database.claims("WHERE resource_id = " + host)).hasSize(claims));
    }

    private int claimsWhenDisabled(long host) {
        return database.command(
                () -> {
                    database.jdbc.queryForList(
                            "SELECT FROM resource WHERE resource_id = ? FOR UPDATE", host);
                    int claims = database.claims("WHERE resource_id = " + host).size();
                    database.jdbc.update(
                            "UPDATE resource SET state = 'DISABLED' WHERE resource_id = ?", host);
                    return claims;
                });
    }

    @Test
    void a_waiting_start_is_recorded_before_the_release_that_it_awaits() throws Exception {
        database.withHosts(1);
        database.jdbc.execute("CREATE TABLE IF NOT EXISTS diary (place serial, what text)");
        for (int round = 0; round < 20; round++) {
            SampleRequests.SampleLease before = lease(hours(2 * round, 2 * round + 1), hosts(1, 1));
            settle(before.takeUp(settle(before.hold())));
            SampleRequests.SampleLease after =
                    lease(hours(2 * round + 1, 2 * round + 2), hosts(1, 1));
            Grant held = settle(after.hold());
            List<Callable<String>> racers =
                    List.of(
                            () -> recorded(new LetGo(before.reservation(), java.util.Set.of())),
                            () -> recorded(after.takeUp(held)));
            PostgresCalendarFixture.race(racers);
            String order =
                    database.jdbc.queryForObject(
                            "SELECT string_agg(what, ' ' ORDER BY place) FROM diary", String.class);
            // If the record had the release first, the start would wait for a released resource.
            assertThat(order).isIn("Done TakenUp", "Awaited Done");
            database.jdbc.update("TRUNCATE diary");
            database.jdbc.update("TRUNCATE holder");
        }
    }

    /** Records the outcome under a lock that is held until the commit, as the event log does. */
    private String recorded(CalendarRequest<?> request) {
        return database.command(
                () ->
                        calendar.executeAndDecide(
                                request,
                                grant -> {
                                    database.jdbc.execute("SELECT pg_advisory_xact_lock(1)");
                                    database.jdbc.update(
                                            "INSERT INTO diary (what) VALUES (?)",
                                            grant.getClass().getSimpleName());
                                    return "";
                                },
                                _ -> true));
    }

    @Test
    void an_exclusion_constraint_prevents_overlapping_claims() {
        database.withHosts(1);
        naiveClaim();
        assertThatThrownBy(this::naiveClaim).isInstanceOf(DataIntegrityViolationException.class);
        assertThat(database.overlaps()).isZero();

        database.transactions.executeWithoutResult(
                transaction -> {
                    database.jdbc.execute("ALTER TABLE claim DROP CONSTRAINT claim_is_exclusive");
                    naiveClaim();
                    assertThat(database.overlaps()).isOne();
                    transaction.setRollbackOnly();
                });
    }

    private void naiveClaim() {
        database.jdbc.update(
                """
                INSERT INTO claim (resource_id, within, during, occupancy, reservation_id, lease_id,
                                   project_id, cleaning, relies_on)
                SELECT 1, '00000000-0000-0000-0000-000000000000', '[2030-01-01,2030-01-02)', id, id,
                       id, 'p', '0', '{}'
                FROM (SELECT ?::uuid AS id) i
                """,
                UUID.randomUUID());
    }

    private Grant settle(CalendarRequest<?> request) {
        return database.settle(calendar, request);
    }
}
