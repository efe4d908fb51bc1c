package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.DemoProject.Lease;
import org.leasehold.runtime.database.DatabaseAddress;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Tests several engines on one database, with all roles or with some. */
@Order(3)
class SeveralNodesIT {

    private static final String EIGHT_CONNECTIONS = "leasehold.database.connections=8";
    private static final String NO_ANNOUNCEMENT = "leasehold.gateway.minutes-before-end-lease=0";
    private static final int SEGMENTS = 4;
    private static final int REPEATS = 25;

    @TempDir private static Path folder;
    private static Product product;

    @BeforeAll
    static void start() {
        product = Product.start(folder, EIGHT_CONNECTIONS, NO_ANNOUNCEMENT);
        Await.until("all hosts are in the cloud", () -> product.cloud().freepool().size() == 4);
    }

    @AfterAll
    static void stop() {
        product.close();
    }

    @Test
    void running_nodes_share_the_segments_of_every_processor() {
        try (Product second = another()) {
            Await.until(() -> "two halves: " + segments(), () -> areShared(2));
            try (Product third = another()) {
                Await.until(() -> "three shares: " + segments(), () -> areShared(3));
                Lease lease = new DemoProject(third).leaseNow(1, DemoProject.named("compute-3"));
                new DemoProject(second).awaitStatus(lease, "ACTIVE");
                new DemoProject(second).delete(lease);
                new DemoProject(third).awaitStatus(lease, "gone");
            }
            Await.until(() -> "two halves again: " + segments(), () -> areShared(2));
        }
        Await.until(() -> "all in one hand: " + segments(), () -> areShared(1));
    }

    @Test
    void a_node_decides_with_the_latest_events_of_another_node() {
        Instant start = product.now().plus(Duration.ofDays(30));
        try (Product other = another("leasehold.node.roles=command,query")) {
            for (int round = 0; round < REPEATS; round++) {
                Client here = (round % 2 == 0 ? product : other).as("demo");
                Client there = (round % 2 == 0 ? other : product).as("demo");
                String taken = create(here, start).expect(201).path("id").asString();
                create(there, start).expect(409);
                here.delete("/api/leases/" + taken).expect(204);
                String free = create(there, start).expect(201).path("id").asString();
                there.post("/api/leases/" + free + "/end", Map.of()).expect(200);
                create(here, start).expect(201);
                start = start.plus(Duration.ofDays(1));
            }
        }
    }

    @Test
    void a_node_without_command_answers_queries_and_503_to_commands() {
        try (Product reading = another("leasehold.node.roles=query")) {
            Client demo = reading.as("demo");
            demo.get("/v1/leases").expect(200);
            demo.get("/api/leases").expect(200);
            reading.as("admin").get("/api/resources").expect(200);
            assertThat(
                            create(demo, product.now().plus(Duration.ofDays(60)))
                                    .expect(503)
                                    .path("detail")
                                    .asString())
                    .contains("role command");
            assertThat(
                            demo.post("/v1/leases", Map.of("name", "x"))
                                    .expect(503)
                                    .path("error_message")
                                    .asString())
                    .contains("command");
            reading.as("admin").post("/v1/os-hosts", Map.of("name", "compute-9")).expect(503);
            assertThat(demo.post("/v1/os-hosts", Map.of("name", "compute-9")).status())
                    .as("who may not, may not on any node")
                    .isEqualTo(403);
            demo.get("/v1").expect(404);
            demo.get("/api/kinds").expect(200);
            demo.get("/api/me").expect(200);
            assertThat(workers()).doesNotContain("query-only");
        }
    }

    @Test
    void a_node_without_query_rejects_queries_and_other_nodes_run_the_timers() {
        try (Product deciding = another("leasehold.node.roles=command")) {
            Instant start = product.now().plus(Duration.ofHours(1));
            Lease lease =
                    new DemoProject(deciding)
                            .lease(
                                    start,
                                    start.plus(Duration.ofHours(1)),
                                    DemoProject.named("compute-2"));
            assertThat(
                            deciding.as("demo")
                                    .get("/api/leases/" + lease.id())
                                    .expect(503)
                                    .path("detail")
                                    .asString())
                    .contains("role query");
            assertThat(deciding.as("demo").get("/api/me").expect(200).path("kinds"))
                    .isEqualTo(product.as("demo").get("/api/me").expect(200).path("kinds"))
                    .isNotEmpty();
            product.clock().set(start);
            new DemoProject(product).awaitStatus(lease, "ACTIVE");
            new DemoProject(deciding).delete(lease);
            new DemoProject(product).awaitStatus(lease, "gone");
            assertThat(workers()).hasSize(1);
        }
    }

    private static Product another(String... settings) {
        String[] all = new String[settings.length + 2];
        System.arraycopy(settings, 0, all, 0, settings.length);
        all[settings.length] = EIGHT_CONNECTIONS;
        all[settings.length + 1] = NO_ANNOUNCEMENT;
        return product.anotherNode(folder, all);
    }

    private static Answer create(Client client, Instant start) {
        return client.post(
                "/api/leases",
                DemoProject.hostRequest(
                        "fresh",
                        start,
                        start.plus(Duration.ofHours(1)),
                        DemoProject.named("compute-1")));
    }

    /** Returns true if no segment is lost, and each node has its fair share. */
    private static boolean areShared(int nodes) {
        return segments().values().stream()
                .allMatch(
                        shares ->
                                shares.size() == nodes
                                        && shares.values().stream().mapToInt(i -> i).sum()
                                                == SEGMENTS
                                        && shares.values().stream()
                                                .allMatch(s -> s >= SEGMENTS / nodes));
    }

    /** Returns the number of each node's segments, by processor. */
    private static Map<String, Map<String, Integer>> segments() {
        Map<String, Map<String, Integer>> segments = new TreeMap<>();
        query(
                "SELECT processor_name, coalesce(owner, 'nobody') FROM token_entry",
                row ->
                        segments.computeIfAbsent(row.getString(1), _ -> new TreeMap<>())
                                .merge(row.getString(2), 1, Integer::sum));
        return segments;
    }

    private static List<String> workers() {
        List<String> names = new ArrayList<>();
        query("SELECT name FROM node", row -> names.add(row.getString(1)));
        return names;
    }

    private static void query(String question, Rows rows) {
        DatabaseAddress database = product.database();
        try (Connection connection =
                        DriverManager.getConnection(
                                database.url(), database.user(), database.password());
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(question)) {
            while (found.next()) {
                rows.see(found);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Rows {
        void see(ResultSet row) throws SQLException;
    }
}
