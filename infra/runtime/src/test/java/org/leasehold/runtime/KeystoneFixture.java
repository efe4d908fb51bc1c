package org.leasehold.runtime;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.resource.openstack.FakeOpenStack;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A product whose users come from a fake of Keystone, and requests with tokens of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class KeystoneFixture {

    static final JsonMapper JSON = JsonMapper.builder().build();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    static final Map<String, String> DEMO = Map.of("id", "p-demo", "name", "demo");
    private static final Map<String, String> OTHER = Map.of("id", "p-other", "name", "other");

    Path folder;

    FakeOpenStack cloud;
    private ConfigurableApplicationContext product;

    @BeforeAll
    void start(@TempDir Path given) {
        folder = given;
        cloud = new FakeOpenStack(Clock.systemUTC());
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "--server.port=0",
                                "--leasehold.probes.port=0",
                                "--leasehold.database.folder=" + folder,
                                "--leasehold.authentication.method=keystone",
                                "--leasehold.authentication.revocation-interval=100ms",
                                "--leasehold.authentication.auditor-roles=cloud_auditor"));
        cloud.settings()
                .forEach(
                        (name, value) ->
                                arguments.add("--leasehold.openstack." + name + "=" + value));
        SpringApplication application = Leasehold.application();
        // The tokens have Keystone's time, which is that of this machine.
        application.addInitializers(
                new BeanReplacements(
                        RuntimeConfiguration.microsecondClock(),
                        new PluginGate(),
                        SharedPostgres.of(folder)));
        product = application.run(arguments.toArray(String[]::new));
        new Client("http://127.0.0.1:" + port()).awaitReady();
    }

    @AfterAll
    void stop() {
        product.close();
        cloud.close();
    }

    @BeforeEach
    void everybodyHasAToken() {
        cloud.keystone(null);
        cloud.token("demo", token("u-demo", "project", DEMO, "member", "reader"));
        cloud.token("other", token("u-other", "project", OTHER, "member", "reader"));
        cloud.token("reader", token("u-reader", "project", DEMO, "reader"));
        cloud.token("admin", token("u-admin", "project", OTHER, "admin", "member", "reader"));
        cloud.token("auditor", token("u-auditor", "project", OTHER, "cloud_auditor"));
    }

    static Map<String, Object> token(
            String user, String scope, Map<String, ?> of, String... roles) {
        Instant now = Instant.now();
        return Map.of(
                "user",
                Map.of("id", user, "name", user),
                "issued_at",
                now.toString(),
                "expires_at",
                now.plus(Duration.ofHours(1)).toString(),
                "audit_ids",
                List.of("audit-" + user),
                "roles",
                List.of(roles).stream().map(role -> Map.of("id", role, "name", role)).toList(),
                scope,
                of);
    }

    static Map<String, Object> wish(String name) {
        Instant now = Instant.now();
        return Map.of(
                "name",
                name,
                "start_date",
                minute(now.plus(Duration.ofDays(1))),
                "end_date",
                minute(now.plus(Duration.ofDays(2))),
                "events",
                List.of(),
                "reservations",
                List.of(
                        Map.of(
                                "resource_type", "physical:host",
                                "min", 1,
                                "max", 1,
                                "hypervisor_properties", "",
                                "resource_properties", "")));
    }

    private static String minute(Instant instant) {
        return instant.toString().substring(0, 16).replace('T', ' ');
    }

    int status(String method, String path, @Nullable String token) {
        return ask(method, path, token, null).statusCode();
    }

    HttpResponse<String> ask(
            String method, String path, @Nullable String token, @Nullable Object body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address(path))
                        .header("Accept", "application/json")
                        .method(
                                method,
                                body == null
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(JSON.writeValueAsString(body)));
        if (token != null) {
            request.header("X-Auth-Token", token);
        }
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        return send(request);
    }

    static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return HTTP.send(request.build(), BodyHandlers.ofString());
        } catch (IOException broken) {
            throw new AssertionError(broken);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    URI address(String path) {
        return URI.create("http://127.0.0.1:" + port() + path);
    }

    private String port() {
        return Objects.requireNonNull(product.getEnvironment().getProperty("local.server.port"));
    }
}
