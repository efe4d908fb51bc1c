package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.postgres.ConnectionParameters;
import org.leasehold.postgres.EmbeddedPostgres;
import org.leasehold.resource.simulator.BehaviorRule;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.resource.simulator.cloud.SimulatedCloud;
import org.leasehold.runtime.DemoProject.Lease;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Tests a killed process; PostgreSQL continues as an orphan. */
@Order(2)
class KilledProcessIT {

    private static final String POSTMASTER = "postgres/postmaster.pid";

    /** The capacity of the simulated cloud's volume type in GiB. */
    private static final int GOLD = 1_000;

    @TempDir private Path folder;
    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void leaveNothingBehind() {
        processes.forEach(Process::destroyForcibly);
        if (Files.exists(folder.resolve(POSTMASTER))) {
            ProcessHandle.of(postgres()).ifPresent(ProcessHandle::destroy);
        }
    }

    @Test
    void a_restart_after_a_kill_keeps_the_data_and_runs_each_action_once()
            throws IOException, InterruptedException {
        int port = freePort();
        Process engine = startProcess(port);
        Client demo = client(port);
        Lease started = now(demo, "compute-1");
        Await.until("it runs", () -> status(demo, started).equals("ACTIVE"));
        long postgres = postgres();
        misbehave(BehaviorRule.slow("start.leave_freepool", Duration.ofSeconds(20)).times(1));
        Lease starting = now(demo, "compute-2");
        Await.until("its start is half done", () -> isHalfStarted(starting));

        engine.destroyForcibly().waitFor();
        assertThat(ProcessHandle.of(postgres)).get().matches(ProcessHandle::isAlive);

        try (Product product = Product.startEmbedded(folder)) {
            assertThat(postgres()).isNotEqualTo(postgres);
            DemoProject tenant = new DemoProject(product);
            assertThat(tenant.status(started)).isEqualTo("ACTIVE");
            tenant.awaitStatus(starting, "ACTIVE");
            assertThat(tenant.hostsOf(started)).containsExactly("compute-1");
            assertThat(tenant.hostsOf(starting)).containsExactly("compute-2");
            assertThat(product.cloud().effects(starting.reservation()))
                    .extracting(SimulatedCloud.Effect::operation)
                    .containsExactly("create_aggregate", "add_host", "leave_freepool");

            tenant.delete(started);
            tenant.delete(starting);
            tenant.awaitStatus(started, "gone");
            tenant.awaitStatus(starting, "gone");
            assertThat(tenant.isCleanedUp(started, "compute-1")).isTrue();
            assertThat(tenant.isCleanedUp(starting, "compute-2")).isTrue();
        }
    }

    @Test
    void a_kill_after_the_update_of_a_stack_frees_capacity_later()
            throws IOException, InterruptedException {
        int port = freePort();
        Process engine = startProcess(port);
        Client demo = client(port);
        Lease lease = now(demo, stack("data", "more"));
        Await.until("it runs", () -> status(demo, lease).equals("ACTIVE"));
        // The cloud updates the stack, its response is lost, and the next call takes long.
        misbehave(
                BehaviorRule.failing("adjust.update_stack", InjectedFault.TIME_OUT_AFTER).times(1));
        misbehave(BehaviorRule.slow("adjust", Duration.ofMinutes(10)).withSkip(1));
        demo.put(
                        "/v1/leases/" + lease.id(),
                        Map.of("reservations", List.of(change(lease, stack("data")))))
                .expect(200);
        Await.until("the stack is smaller", () -> !resources().contains("more"));

        engine.destroyForcibly().waitFor();
        try (SimulatedCloud cloud = cloud()) {
            cloud.clearBehaviorRules();
        }

        try (Product product = Product.startEmbedded(folder)) {
            DemoProject tenant = new DemoProject(product);
            Await.until(
                    "the cloud's update is confirmed",
                    () -> tenant.types(lease).contains("ReservationAdjusted"));
            assertThat(tenant.types(lease))
                    .filteredOn(type -> type.equals("ReservationGranted"))
                    // For the request, for the change, and for its confirmation.
                    .hasSize(3);
            tenant.askNow(volume(GOLD - 399)).expect(409);
            tenant.askNow(volume(GOLD - 400)).expect(201);
        }
    }

    private static Map<String, Object> change(Lease lease, Map<String, Object> fields) {
        Map<String, Object> change = new HashMap<>(fields);
        change.put("id", lease.reservation().toString());
        return change;
    }

    /** Returns a stack of volumes of 400 GiB each. */
    private static Map<String, Object> stack(String... names) {
        Map<String, Object> resources = new TreeMap<>();
        for (String name : names) {
            resources.put(
                    name,
                    Map.of(
                            "type",
                            "OS::Cinder::Volume",
                            "properties",
                            Map.of("size", 400, "volume_type", "gold")));
        }
        return Map.of(
                "resource_type",
                "virtual:stack",
                "template",
                Map.of("heat_template_version", "2018-08-31", "resources", resources));
    }

    private static Map<String, Object> volume(int size) {
        return Map.of("resource_type", "virtual:volume", "volume_type", "gold", "size", size);
    }

    /** Returns the names of the resources in all stacks. */
    private Set<String> resources() {
        try (SimulatedCloud cloud = cloud()) {
            return cloud.stacks().stream()
                    .flatMap(stack -> stack.resources().keySet().stream())
                    .collect(Collectors.toSet());
        }
    }

    private Process startProcess(int port) throws IOException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-Xmx512m",
                                "-XX:+ExitOnOutOfMemoryError",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Leasehold.class.getName(),
                                "--server.port=" + port,
                                "--leasehold.probes.port=0",
                                "--leasehold.database.folder=" + folder)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile())
                        .start();
        processes.add(process);
        // A first start takes half a minute on an idle machine, and longer here.
        Await.until(
                Duration.ofMinutes(4),
                () -> "the process is ready, which says:\n" + log(),
                () -> log().contains("ready at") || !process.isAlive());
        assertThat(process.isAlive()).as(this::log).isTrue();
        return process;
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Client client(int port) {
        return new Client(
                "http://127.0.0.1:" + port, "demo", Product.passwords(folder).get("demo"));
    }

    private static Lease now(Client demo, String host) {
        return now(demo, DemoProject.hosts(1, 1, DemoProject.named(host)));
    }

    private static Lease now(Client demo, Map<String, Object> reservation) {
        return DemoProject.of(
                demo.post(
                                "/v1/leases",
                                Map.of(
                                        "name",
                                        "now",
                                        "start_date",
                                        "now",
                                        "end_date",
                                        DemoProject.minute(Instant.now().plus(Duration.ofHours(5))),
                                        "reservations",
                                        List.of(reservation)))
                        .expect(201)
                        .path("lease"));
    }

    private static String status(Client demo, Lease lease) {
        return demo.get("/v1/leases/" + lease.id())
                .expect(200)
                .path("lease")
                .path("status")
                .asString();
    }

    /** Returns true if the host is in the lease's aggregate and still in the pool. */
    private boolean isHalfStarted(Lease lease) {
        try (SimulatedCloud cloud = cloud()) {
            return cloud.effects(lease.reservation()).stream()
                    .anyMatch(effect -> effect.operation().equals("add_host"));
        }
    }

    private void misbehave(BehaviorRule behaviour) {
        try (SimulatedCloud cloud = cloud()) {
            cloud.addBehaviorRule(behaviour);
        }
    }

    private SimulatedCloud cloud() {
        ConnectionParameters service = EmbeddedPostgres.findRunning(folder).orElseThrow();
        return SimulatedCloud.connect(service.url(), service.user(), service.password());
    }

    private long postgres() {
        return Long.parseLong(postmaster().getFirst().strip());
    }

    /** Returns the lines of the file; the process id comes first. */
    private List<String> postmaster() {
        try {
            return Files.readAllLines(folder.resolve(POSTMASTER));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
