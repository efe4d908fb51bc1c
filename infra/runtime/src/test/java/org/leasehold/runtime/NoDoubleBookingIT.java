package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.runtime.CalendarChecker.Report;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.EventReader.Event;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;

/**
 * Tests many concurrent clients that request twice the capacity from two nodes. One node decides
 * one command after the other; only the database separates concurrent decisions of two nodes. For a
 * larger run, use {@code -Drace.creates=10000 -Drace.hosts=100}.
 */
@TestMethodOrder(OrderAnnotation.class)
class NoDoubleBookingIT extends RaceFixture {

    private static final int ROUNDS_WITHOUT_CONSTRAINT = 100;

    @Test
    @Order(1)
    void concurrent_requests_cause_no_double_booking_and_no_needless_refusal() throws Exception {
        List<RaceClient.Tally> tallies = race();

        RaceClient.Tally all = RaceClient.Tally.sum(tallies);
        System.out.println("seed " + SEED + ": " + all);
        assertThat(all.faults()).isEmpty();
        assertThat(all.created() + all.refused()).isEqualTo(CREATES);
        assertThat(all.refused()).isGreaterThan(CREATES * 3 / 10);
        assertThat(all.changed()).isPositive();
        assertThat(all.deleted()).isPositive();

        Await.until("no plugin is at work", () -> count("plugin_task") == 0);
        List<Event> events = product.history();
        Report report = CalendarChecker.check(events, Duration.ZERO);
        assertThat(report.complaints()).isEmpty();
        assertThat(report.refusals()).isEqualTo(all.refused() + all.changesRefused());
        assertThat(report.compare(product.cloud())).isEmpty();
        assertThat(product.cloud().effects()).isNotEmpty();
        assertThat(product.verify()).isEmpty();
    }

    @Test
    @Order(2)
    void the_checker_finds_faults_in_a_manipulated_event_log() throws SQLException {
        List<Event> events = product.history();

        assertThat(complaints(events, NoDoubleBookingIT::promisedTwice))
                .anyMatch(complaint -> complaint.contains("is promised twice"));
        assertThat(complaints(events, NoDoubleBookingIT::withoutGrants))
                .anyMatch(complaint -> complaint.contains("refused without need"));
        assertThat(complaints(events, NoDoubleBookingIT::refusedAsOfTheBeginning))
                .anyMatch(complaint -> complaint.contains("refused without need"));

        leaseOneAfterTheOther("compute-" + (HOSTS + 1));
        assertThat(complaints(product.history(), NoDoubleBookingIT::withoutReleases))
                .anyMatch(complaint -> complaint.contains("took up"));
    }

    /** Creates two leases on a host: in the race, possibly no host had two. */
    private static void leaseOneAfterTheOther(String host) {
        product.as("admin").post("/v1/os-hosts", Map.of("name", host)).expect(201);
        DemoProject tenant = new DemoProject(product);
        for (int number = 0; number < 2; number++) {
            DemoProject.Lease lease = tenant.leaseNow(1, DemoProject.named(host));
            tenant.awaitStatus(lease, "ACTIVE");
            tenant.delete(lease);
            tenant.awaitStatus(lease, "gone");
        }
    }

    @Test
    @Order(3)
    void the_checker_finds_double_bookings_without_the_constraint() throws Exception {
        execute("ALTER TABLE claim DROP CONSTRAINT claim_is_exclusive");

        List<String> complaints = List.of();
        for (int round = 0; complaints.isEmpty() && round < ROUNDS_WITHOUT_CONSTRAINT; round++) {
            Instant start =
                    product.now()
                            .truncatedTo(ChronoUnit.MINUTES)
                            .plus(Duration.ofDays(400 + round));
            askAllAtOnceForTheOnly("compute-1", start);
            complaints = CalendarChecker.check(product.history(), Duration.ZERO).complaints();
        }

        assertThat(complaints).anyMatch(complaint -> complaint.contains("is promised twice"));
    }

    private static void askAllAtOnceForTheOnly(String host, Instant start) throws Exception {
        List<Callable<Answer>> clients = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            Product node = node(client);
            clients.add(
                    () ->
                            node.as("demo")
                                    .post(
                                            "/v1/leases",
                                            Map.of(
                                                    "name",
                                                    "race",
                                                    "start_date",
                                                    DemoProject.minute(start),
                                                    "end_date",
                                                    DemoProject.minute(
                                                            start.plus(Duration.ofHours(1))),
                                                    "reservations",
                                                    List.of(
                                                            DemoProject.hosts(
                                                                    1,
                                                                    1,
                                                                    DemoProject.named(host))))));
        }
        together(clients);
    }

    /** Replaces the last grant by one of all hosts. */
    private static List<Event> promisedTwice(List<Event> events) {
        List<Event> tampered = new ArrayList<>(events);
        for (int i = tampered.size() - 1; i >= 0; i--) {
            if (tampered.get(i).event() instanceof ReservationGranted granted) {
                tampered.set(i, tampered.get(i).with(ofAllHosts(granted)));
                break;
            }
        }
        return tampered;
    }

    private static ReservationGranted ofAllHosts(ReservationGranted granted) {
        return new ReservationGranted(
                granted.leaseId(),
                granted.reservationId(),
                granted.period(),
                granted.cleaning(),
                LongStream.rangeClosed(1, HOSTS)
                        .mapToObj(id -> new Allocation(new ResourceId(id), "any", Map.of()))
                        .toList());
    }

    private static List<Event> withoutGrants(List<Event> events) {
        return without(ReservationGranted.class, events);
    }

    private static List<Event> withoutReleases(List<Event> events) {
        return without(ReservationReleased.class, events);
    }

    private static List<Event> without(Class<?> type, List<Event> events) {
        return events.stream().filter(event -> !type.isInstance(event.event())).toList();
    }

    private static List<Event> refusedAsOfTheBeginning(List<Event> events) {
        long enrolled =
                events.stream()
                        .filter(event -> event.event() instanceof ResourceEnrolled)
                        .mapToLong(Event::position)
                        .max()
                        .orElseThrow();
        return events.stream().map(event -> event.with(asOf(enrolled, event.event()))).toList();
    }

    private static Object asOf(long position, Object event) {
        return switch (event) {
            case LeaseRefused refused ->
                    new LeaseRefused(
                            refused.leaseId(),
                            refused.projectId(),
                            refused.userId(),
                            refused.name(),
                            refused.period(),
                            refused.beforeEnd(),
                            refused.reservations(),
                            refused.shortages(),
                            position,
                            refused.onFailure());
            case LeaseChangeRefused refused ->
                    new LeaseChangeRefused(
                            refused.leaseId(),
                            refused.period(),
                            refused.reservations(),
                            refused.shortages(),
                            position);
            case Object other -> other;
        };
    }
}
