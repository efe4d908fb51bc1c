package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.runtime.DemoProject.Lease;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Tests a process whose locale has its own digits, in the first time zone of the day. */
@Order(3)
class ForeignLocaleIT {

    @TempDir private Path folder;
    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void leaveNothingBehind() throws InterruptedException {
        for (Process process : processes) {
            process.destroy();
            process.waitFor();
        }
    }

    @Test
    void a_lease_starts_in_a_locale_with_arabic_digits() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Process engine =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-Xmx512m",
                                "-XX:+ExitOnOutOfMemoryError",
                                "-Duser.language=ar",
                                "-Duser.country=SA",
                                "-Duser.timezone=Pacific/Apia",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Leasehold.class.getName(),
                                "--server.port=" + port,
                                "--leasehold.probes.port=0",
                                "--leasehold.database.folder=" + folder.resolve("data"))
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile())
                        .start();
        processes.add(engine);
        Await.until(
                Duration.ofMinutes(4),
                () -> "the process is ready, which says:\n" + log(),
                () -> log().contains("ready at") || !engine.isAlive());
        assertThat(engine.isAlive()).as(this::log).isTrue();

        Client demo =
                new Client(
                        "http://127.0.0.1:" + port,
                        "demo",
                        Product.passwords(folder.resolve("data")).get("demo"));
        Lease lease =
                DemoProject.of(
                        demo.post(
                                        "/v1/leases",
                                        Map.of(
                                                "name",
                                                "now",
                                                "start_date",
                                                "now",
                                                "end_date",
                                                "2099-01-01 00:00",
                                                "reservations",
                                                List.of(
                                                        DemoProject.hosts(
                                                                1,
                                                                1,
                                                                DemoProject.named("compute-1")))))
                                .expect(201)
                                .path("lease"));

        Await.until(
                "it runs",
                () ->
                        demo.get("/v1/leases/" + lease.id())
                                .expect(200)
                                .path("lease")
                                .path("status")
                                .asString()
                                .equals("ACTIVE"));
        // The list has a LIMIT, and the entity tag a version.
        assertThat(demo.get("/api/leases?limit=7").expect(200).path("leases")).hasSize(1);
        demo.get("/api/leases/" + lease.id()).expect(200);
        demo.get("/api/events?limit=5").expect(200);
        demo.get("/api/usage?by=lease&from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z")
                .expect(200);
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
