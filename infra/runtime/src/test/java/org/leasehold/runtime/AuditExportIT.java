package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.runtime.database.DatabaseAddress;
import org.leasehold.seal.TreeHead;
import org.leasehold.verifier.AuditVerifier;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Tests that an export and the key suffice to check the signatures without an engine. */
class AuditExportIT {

    private static final Duration LONG = Duration.ofHours(5);

    @TempDir private static Path folder;
    private static Product product;
    private static TreeHead signed;

    @BeforeAll
    static void live() throws IOException {
        // The product trusts clients on this machine as proxies.
        product = Product.start(folder, "server.forward-headers-strategy=native");
        DemoProject tenant = new DemoProject(product);
        Instant later = product.now().plus(LONG);
        tenant.lease(later, later.plus(LONG), DemoProject.named("compute-1"));
        tenant.delete(tenant.lease(later, later.plus(LONG), DemoProject.named("compute-2")));
        product.sign();
        DemoProject.Lease last =
                tenant.lease(later, later.plus(LONG), DemoProject.named("compute-3"));
        long position =
                tenant.event(last, "ReservationGranted").orElseThrow().path("position").asLong();
        Await.until(
                "the events of all leases are signed",
                () -> {
                    signed = product.sign();
                    return signed.position() >= position;
                });
        String key =
                product.as("admin")
                        .get("/api/audit/keys")
                        .expect(200)
                        .at("/keys/0/public_key")
                        .asString();
        Files.writeString(
                folder.resolve("public.pem"),
                "-----BEGIN PUBLIC KEY-----\n" + key + "\n-----END PUBLIC KEY-----\n");
    }

    @AfterAll
    static void stop() {
        product.close();
    }

    @Test
    void an_export_passes_verification_against_the_signed_head() throws Exception {
        String export = export();

        assertThat(verify(export, "--kept-head=%s:%s".formatted(signed.number(), signed.hash())))
                .contains("%s events of ".formatted(signed.events()))
                .doesNotContain("withheld")
                .endsWith("\n0");
    }

    @Test
    void an_event_edited_in_the_export_or_the_database_is_detected() throws Exception {
        String export = export();
        assertThat(verify(export.replaceFirst("\"astronomy\"|\"demo\"", "\"eve\"")))
                .startsWith("WRONG: line ")
                .contains("position ")
                .endsWith("\n1");

        String where =
                " WHERE position = (SELECT min(position) FROM domain_event"
                        + " WHERE event_type = 'LeaseRequested')";
        sql("UPDATE domain_event SET payload = payload || '{\"eve\": 1}'" + where);
        try {
            assertThat(verify(export()))
                    .contains(": expected the event that was sealed as ")
                    .endsWith("\n1");
        } finally {
            sql("UPDATE domain_event SET payload = payload - 'eve'" + where);
        }
        assertThat(verify(export())).endsWith("\n0");
    }

    @Test
    void an_erasure_of_request_origins_leaves_the_export_unchanged() throws Exception {
        send("demo", "POST", "/api/leases", wish("compute-4"), 201);
        send("demo", "GET", "/api/audit/heads", null, 403);
        Client admin = product.as("admin");
        String events = "/api/audit/events?host=compute-4&address=203.0.113.0/28";
        Await.until(
                "what came from there is found",
                () ->
                        types(admin.get(events).expect(200).path("events"))
                                .contains("ReservationGranted"));
        Await.until(
                "so is what was denied",
                () ->
                        admin.get("/api/audit/denied?address=203.0.113.9")
                                .expect(200)
                                .path("attempts")
                                .valueStream()
                                .anyMatch(found -> found.path("why").asString().equals("role")));
        JsonNode event = admin.get(events).expect(200).at("/events/0");
        assertThat(event.path("address").asString()).isEqualTo("203.0.113.9");
        assertThat(event.path("agent").asString()).isEqualTo("a client");
        assertThat(
                        admin.get("/api/audit/events?address=203.0.113.16/28")
                                .expect(200)
                                .path("events"))
                .isEmpty();
        assertThat(admin.get("/api/audit/events?host=compute-400").status()).isEqualTo(400);
        assertThat(admin.get("/api/events?limit=1000").text()).doesNotContain("203.0.113.9");
        Await.until(
                "it is signed, too",
                () -> product.sign().position() >= event.path("position").asLong());
        signed = product.sign();
        String before = export();
        assertThat(before).doesNotContain("203.0.113.9");

        String user = event.path("user_id").asString();
        assertThat(
                        admin.delete("/api/audit/origins?user=" + user)
                                .expect(200)
                                .path("erased")
                                .asInt())
                .isGreaterThanOrEqualTo(2);

        assertThat(admin.get(events).expect(200).path("events")).isEmpty();
        JsonNode same =
                admin.get("/api/audit/events/" + event.path("position").asLong())
                        .expect(200)
                        .path("event");
        assertThat(same.path("user_id").asString()).isEqualTo(user);
        assertThat(same.path("address").isNull()).isTrue();
        assertThat(admin.get("/api/audit/denied?user=" + user).text())
                .contains("\"role\"")
                .doesNotContain("203.0.113.9");
        assertThat(
                        admin.get("/api/audit/erasures")
                                .expect(200)
                                .at("/erasures/0/of_user_id")
                                .asString())
                .isEqualTo(user);
        assertThat(export()).isEqualTo(before);
        assertThat(verify(before)).endsWith("\n0");
        assertThat(product.verify()).isEmpty();
    }

    private static List<String> types(JsonNode events) {
        return events.valueStream().map(event -> event.path("type").asString()).toList();
    }

    private static String wish(String host) {
        Instant later = product.now().plus(LONG);
        return """
        {"name": "proxied", "start": "%s", "end": "%s", "reservations": [
          {"kind": "physical:host", "parameters": {"min": 1, "max": 1,
            "hypervisor_properties": "%s", "resource_properties": ""}}]}
        """
                .formatted(later, later.plus(LONG), DemoProject.named(host).replace("\"", "\\\""));
    }

    /** Sends a request through a proxy. */
    private static void send(
            String user, String method, String path, @Nullable String body, int expected)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:%s%s".formatted(product.port(), path)))
                        .header("Authorization", product.as(user).authorization())
                        .header("Content-Type", "application/json")
                        .header("User-Agent", "a client")
                        .header("X-Forwarded-For", "198.51.100.1, 203.0.113.9")
                        .method(
                                method,
                                body == null
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(body))
                        .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(expected);
        }
    }

    private static String export() throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(
                                URI.create(
                                        "http://127.0.0.1:%s/api/audit/export?until=%s"
                                                .formatted(product.port(), signed.number())))
                        .header("Authorization", product.as("admin").authorization())
                        .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            return answer.body();
        }
    }

    /** Returns the verifier's output, and its status. */
    private static String verify(String export, String... more) throws IOException {
        Path file = Files.writeString(folder.resolve("export.ndjson"), export);
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
        List<String> words = new ArrayList<>(List.of(more));
        words.add("--key=" + folder.resolve("public.pem"));
        words.add(file.toString());
        int status = AuditVerifier.run(words, InputStream.nullInputStream(), out, out);
        return output.toString(StandardCharsets.UTF_8) + status;
    }

    private static void sql(String statement) throws SQLException {
        DatabaseAddress database = product.database();
        try (Connection connection =
                        DriverManager.getConnection(
                                database.url(), database.user(), database.password());
                Statement change = connection.createStatement()) {
            change.execute(statement);
        }
    }
}
