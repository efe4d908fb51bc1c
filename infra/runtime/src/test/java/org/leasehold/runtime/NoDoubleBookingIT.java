package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
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
import org.leasehold.runtime.database.DatabaseAddress;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/**
 * Tests many concurrent clients that request twice the capacity from two nodes. One node decides
 * one command after the other; only the database separates concurrent decisions of two nodes. For a
 * larger run, use {@code -Drace.creates=10000 -Drace.hosts=100}.
 */
@TestMethodOrder(OrderAnnotation.class)
class NoDoubleBookingIT {

    private static final int CLIENTS = Integer.getInteger("race.clients", 64);

    /** The limit for all clients, so that none waits for another one of its user. */
    private static final String AT_ONCE = "leasehold.limits.requests.at-once=" + CLIENTS;

    private static final int CREATES = Integer.getInteger("race.creates", 1000);
    private static final int HOSTS = Integer.getInteger("race.hosts", 20);
    private static final long SEED = Long.getLong("race.seed", 20_261_121);

    private static final int ROUNDS_WITHOUT_CONSTRAINT = 100;

    @TempDir private static Path folder;
    private static Product product;
    private static Product otherNode;

    @BeforeAll
    static void start() {
        product =
                Product.start(
                        folder,
                        "leasehold.plugins.simulator.hosts=" + (HOSTS + 1),
                        AT_ONCE,
                        "leasehold.gateway.minutes-before-end-lease=0");
        for (int host = 5; host <= HOSTS; host++) {
            product.as("admin")
                    .post(
                            "/v1/os-hosts",
                            Map.of("name", "compute-" + host, "rack", Integer.toString(host % 3)))
                    .expect(201);
        }
        otherNode =
                product.anotherNode(
                        folder, AT_ONCE, "leasehold.gateway.minutes-before-end-lease=0");
        Await.until("all hosts are in the cloud", () -> product.cloud().freepool().size() == HOSTS);
    }

    @AfterAll
    static void stop() {
        otherNode.close();
        product.close();
    }

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

    private static List<RaceClient.Tally> race() throws Exception {
        // Half of the requests must be refused.
        int minutes = CREATES * RaceClient.AVERAGE_HOST_MINUTES / (2 * HOSTS);
        List<Callable<RaceClient.Tally>> clients = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            int creates = CREATES / CLIENTS + (client < CREATES % CLIENTS ? 1 : 0);
            clients.add(
                    new RaceClient(
                            node(client).as(client % 4 < 2 ? "demo" : "other"),
                            product.clock(),
                            new SplittableRandom(SEED + client),
                            minutes,
                            creates));
        }
        AtomicBoolean over = new AtomicBoolean();
        try (ExecutorService others = Executors.newFixedThreadPool(2)) {
            Future<Integer> disabled = others.submit(() -> operator().operateUntil(over::get));
            Future<Integer> renamed = others.submit(() -> bystander().renameUntil(over::get));
            try {
                return together(clients);
            } finally {
                over.set(true);
                assertThat(disabled.get()).isPositive();
                assertThat(renamed.get()).isPositive();
            }
        }
    }

    /** Creates a lease at a time that no other client uses. */
    private static UncontendedClient bystander() {
        return UncontendedClient.withLease(
                List.of(product.as("other"), otherNode.as("other")),
                product.now().plus(Duration.ofDays(300)));
    }

    private static Product node(int client) {
        return client % 2 == 0 ? product : otherNode;
    }

    private static RaceOperator operator() {
        return new RaceOperator(product.as("admin"), new SplittableRandom(SEED));
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

    private static <T> List<T> together(List<Callable<T>> work)
            throws InterruptedException, ExecutionException {
        try (ExecutorService threads = Executors.newFixedThreadPool(work.size())) {
            List<T> results = new ArrayList<>();
            for (Future<T> done : threads.invokeAll(work)) {
                results.add(done.get());
            }
            return results;
        }
    }

    private static List<String> complaints(
            List<Event> events, UnaryOperator<List<Event>> tampering) {
        return CalendarChecker.check(tampering.apply(events), Duration.ZERO).complaints();
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

    private static long count(String table) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Connection connect() throws SQLException {
        DatabaseAddress database = product.database();
        return DriverManager.getConnection(database.url(), database.user(), database.password());
    }
}
