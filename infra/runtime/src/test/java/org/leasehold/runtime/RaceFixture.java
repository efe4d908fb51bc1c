package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.runtime.EventReader.Event;
import org.leasehold.runtime.database.DatabaseAddress;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
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

/** Two nodes on one database, and clients that request the same hosts at the same time. */
abstract class RaceFixture {

    static final int CLIENTS = Integer.getInteger("race.clients", 64);

    /** The limit for all clients, so that none waits for another one of its user. */
    private static final String AT_ONCE = "leasehold.limits.requests.at-once=" + CLIENTS;

    static final int CREATES = Integer.getInteger("race.creates", 1000);
    static final int HOSTS = Integer.getInteger("race.hosts", 20);
    static final long SEED = Long.getLong("race.seed", 20_261_121);

    @TempDir private static Path folder;
    static Product product;
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

    static List<RaceClient.Tally> race() throws Exception {
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
        // Created first: the operator may disable its host.
        UncontendedClient bystander = bystander();
        AtomicBoolean over = new AtomicBoolean();
        try (ExecutorService others = Executors.newFixedThreadPool(2)) {
            Future<Integer> disabled = others.submit(() -> operator().operateUntil(over::get));
            Future<Integer> renamed = others.submit(() -> bystander.renameUntil(over::get));
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

    static Product node(int client) {
        return client % 2 == 0 ? product : otherNode;
    }

    private static RaceOperator operator() {
        return new RaceOperator(product.as("admin"), new SplittableRandom(SEED));
    }

    static <T> List<T> together(List<Callable<T>> work)
            throws InterruptedException, ExecutionException {
        try (ExecutorService threads = Executors.newFixedThreadPool(work.size())) {
            List<T> results = new ArrayList<>();
            for (Future<T> done : threads.invokeAll(work)) {
                results.add(done.get());
            }
            return results;
        }
    }

    static List<String> complaints(List<Event> events, UnaryOperator<List<Event>> tampering) {
        return CalendarChecker.check(tampering.apply(events), Duration.ZERO).complaints();
    }

    static long count(String table) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static void execute(String sql) throws SQLException {
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
