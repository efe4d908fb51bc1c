package org.leasehold.gateway.v1;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.leasehold.command.DenialLog;
import org.leasehold.command.PrivilegedReadLog;
import org.leasehold.gateway.GatewaySettings;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;

/**
 * The gateway behind a real socket, with an engine in memory behind it. The test classes share it,
 * so they run one by one.
 */
@SpringBootTest(
        classes = V1TestServer.Gateway.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "server.address=127.0.0.1",
            "leasehold.limits.logins.failures=1000000",
            // No lease starts in this engine.
            "leasehold.gateway.wait-for-ids=0s",
            "leasehold.gateway.users[0].name=reader",
            "leasehold.gateway.users[0].password={noop}pw",
            "leasehold.gateway.users[0].user-id=u-reader",
            "leasehold.gateway.users[0].project-id=p1",
            "leasehold.gateway.users[0].project-name=demo",
            "leasehold.gateway.users[0].roles=reader",
            "leasehold.gateway.users[1].name=member",
            "leasehold.gateway.users[1].password={noop}pw",
            "leasehold.gateway.users[1].user-id=u-member",
            "leasehold.gateway.users[1].project-id=p1",
            "leasehold.gateway.users[1].project-name=demo",
            "leasehold.gateway.users[1].roles=member,reader",
            "leasehold.gateway.users[2].name=other",
            "leasehold.gateway.users[2].password={noop}pw",
            "leasehold.gateway.users[2].user-id=u-other",
            "leasehold.gateway.users[2].project-id=p2",
            "leasehold.gateway.users[2].project-name=other",
            "leasehold.gateway.users[2].roles=member",
            "leasehold.gateway.users[3].name=admin",
            "leasehold.gateway.users[3].password={noop}pw",
            "leasehold.gateway.users[3].user-id=u-admin",
            "leasehold.gateway.users[3].project-id=p0",
            "leasehold.gateway.users[3].project-name=admin",
            "leasehold.gateway.users[3].roles=admin",
            "leasehold.gateway.users[4].name=auditor",
            "leasehold.gateway.users[4].password={noop}pw",
            "leasehold.gateway.users[4].user-id=u-auditor",
            "leasehold.gateway.users[4].project-id=p3",
            "leasehold.gateway.users[4].project-name=audit",
            "leasehold.gateway.users[4].roles=auditor",
            "leasehold.gateway.users[5].name=planner",
            "leasehold.gateway.users[5].password={noop}pw",
            "leasehold.gateway.users[5].user-id=u-planner",
            "leasehold.gateway.users[5].project-id=p3",
            "leasehold.gateway.users[5].project-name=audit",
            "leasehold.gateway.users[5].roles=planner",
            "leasehold.gateway.users[6].name=biller",
            "leasehold.gateway.users[6].password={noop}pw",
            "leasehold.gateway.users[6].user-id=u-biller",
            "leasehold.gateway.users[6].project-id=p3",
            "leasehold.gateway.users[6].project-name=audit",
            "leasehold.gateway.users[6].roles=biller",
        })
@ResourceLock("V1TestServer")
public abstract class V1TestServer {

    /** Half a minute past, so that the minute and the instant differ. */
    public static final Instant NOW = InMemoryEngineBeans.NOW;

    public static final String LEASE =
            """
            {"name": "nightly-build", "start_date": "2026-11-22 08:00",
             "end_date": "2026-11-22 10:00", "events": [], "before_end_date": null,
             "reservations": [{"resource_type": "physical:host", "min": 1, "max": 2,
               "hypervisor_properties": "", "resource_properties": ""}]}
            """;

    public static final JsonMapper JSON = JsonMapper.shared();

    @Autowired public InMemoryEngine engine;
    @LocalServerPort int port;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeEach
    void the_engine_starts_empty() {
        engine.reset();
    }

    public Answer get(String user, String path) {
        return send(request(user, path).GET());
    }

    public Answer delete(String user, String path) {
        return send(request(user, path).DELETE());
    }

    public Answer post(String user, String path, String body) {
        return send(user, "POST", path, body);
    }

    public Answer put(String user, String path, String body) {
        return send(user, "PUT", path, body);
    }

    public Answer send(String user, String method, String path, String body) {
        return send(
                request(user, path)
                        .header("Content-Type", "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofString(body)));
    }

    /** Returns a request without headers but the login; not even an Accept. */
    public HttpRequest.Builder request(String user, String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        return user.isEmpty() ? request : request.header("Authorization", basic(user, "pw"));
    }

    static String basic(String user, String password) {
        return "Basic "
                + Base64.getEncoder()
                        .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    public Answer send(HttpRequest.Builder request) {
        try {
            return new Answer(client.send(request.build(), HttpResponse.BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    public String leaseOf(String user) {
        return post(user, "/v1/leases", LEASE).json().at("/lease/id").asString();
    }

    public record Answer(HttpResponse<String> response) {

        public int status() {
            return response.statusCode();
        }

        public JsonNode json() {
            return JSON.readTree(response.body());
        }

        public String message() {
            return json().path("error_message").asString();
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        @Override
        public String toString() {
            return status() + " " + response.body();
        }
    }

    // No @Configuration, which a scan would find: the whole product has all of this already.
    @EnableAutoConfiguration
    @EnableConfigurationProperties(GatewaySettings.class)
    @Import(InMemoryEngineBeans.class)
    @ComponentScan({
        "org.leasehold.gateway.completion",
        "org.leasehold.gateway.limits",
        "org.leasehold.gateway.request",
        "org.leasehold.gateway.security",
        "org.leasehold.gateway.v1"
    })
    static class Gateway {

        @Bean
        RecordedActivity engineActivity() {
            return new RecordedActivity();
        }

        @Bean
        FakeCloudPlugins plugins() {
            return new FakeCloudPlugins();
        }

        @Bean
        PrivilegedReadLog privilegedReads() {
            return (read, context) -> {};
        }

        @Bean
        DenialLog deniedAccess() {
            return (why, rule, target, context) -> {};
        }
    }
}
