package org.leasehold.runtime;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A product, and connections of clients that send or read slowly. */
abstract class GreedyClientsFixture {

    static final String JSON = "application/json";
    static final String FORM = "application/x-www-form-urlencoded";

    @TempDir private static Path folder;
    @TempDir private static Path patientFolder;

    static Product product;

    /** A product that never closes a connection, and serves one caller at a time. */
    static Product patient;

    final List<RawConnection> connections = new ArrayList<>();
    private final ScheduledExecutorService trickling =
            Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());

    @BeforeAll
    static void start() {
        product =
                Product.start(
                        folder,
                        "leasehold.limits.bodies.within=3s",
                        "management.endpoint.health.group.readiness.show-components=always",
                        "management.endpoint.health.group.liveness.show-components=always",
                        "server.tomcat.connection-timeout=5s");
        patient =
                Product.start(
                        patientFolder,
                        "leasehold.limits.requests.all-at-once=1",
                        "leasehold.limits.requests.patience=1s",
                        "leasehold.limits.bodies.within=10m",
                        "leasehold.limits.requests.per-second=1",
                        "leasehold.limits.requests.burst=100",
                        "leasehold.limits.logins.failures=3",
                        "leasehold.limits.logins.pause=1h",
                        "leasehold.limits.logins.longest-pause=1h",
                        "server.tomcat.connection-timeout=10m");
        product.asAnonymous().awaitReady();
        patient.asAnonymous().awaitReady();
        // Failures of others do not slow down users who have logged in before.
        for (String user : List.of("admin", "demo", "other", "reader")) {
            patient.as(user).get("/v1/leases").expect(200);
        }
    }

    @AfterAll
    static void stop() {
        product.close();
        patient.close();
    }

    @AfterEach
    void hangUp() throws IOException {
        trickling.shutdownNow();
        for (RawConnection connection : connections) {
            connection.close();
        }
    }

    RawConnection connect(Product to) throws IOException {
        RawConnection connection = new RawConnection(to.port());
        connections.add(connection);
        return connection;
    }

    /** Sends a byte on each connection at intervals. */
    void trickle() {
        ScheduledFuture<?> _ =
                trickling.scheduleWithFixedDelay(
                        () -> connections.forEach(RawConnection::trickle),
                        500,
                        500,
                        TimeUnit.MILLISECONDS);
    }

    static void othersGoOn(Product busy) {
        DemoProject tenant = new DemoProject(busy);
        Instant start = busy.now().plus(Duration.ofHours(5));
        for (int i = 0; i < 5; i++) {
            tenant.lease(start, start.plus(Duration.ofHours(1)), "");
            busy.as("demo").get("/v1/leases").expect(200);
            start = start.plus(Duration.ofDays(1));
        }
        busy.asAnonymous().get("/actuator/health/liveness").expect(200);
    }

    String headersOf(String path, String header) throws IOException {
        RawConnection connection = connect(product);
        connection.send(
                """
                GET %s HTTP/1.1\r
                Host: localhost\r
                Authorization: %s\r
                %sConnection: close\r
                \r
                """
                        .formatted(path, product.as("demo").authorization(), header));
        String answer = connection.untilClosed();
        return answer.substring(0, answer.indexOf("\r\n\r\n"));
    }

    String metrics() throws IOException {
        RawConnection prometheus = connect(patient);
        prometheus.send(
                """
                GET /actuator/prometheus HTTP/1.1\r
                Host: localhost\r
                Authorization: %s\r
                Connection: close\r
                \r
                """
                        .formatted(patient.as("admin").authorization()));
        return prometheus.untilClosed();
    }
}
