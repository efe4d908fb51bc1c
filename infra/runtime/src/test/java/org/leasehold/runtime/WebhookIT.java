package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.leasehold.runtime.Client.Answer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Tests that a webhook gets the events of its project's feed, signed, and no others. */
@ExtendWith(OutputCaptureExtension.class)
@ResourceLock(Resources.SYSTEM_OUT)
@Order(6)
class WebhookIT {

    private static final String WEBHOOKS = "/api/webhooks";

    @TempDir private static Path folder;
    private static Product product;
    private static HttpServer receiver;
    private static final List<Message> MESSAGES = new CopyOnWriteArrayList<>();

    /** A received message. */
    private record Message(String path, String id, String time, String signature, String body) {}

    @BeforeAll
    static void start() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext(
                "/",
                exchange -> {
                    try (exchange) {
                        var headers = exchange.getRequestHeaders();
                        MESSAGES.add(
                                new Message(
                                        exchange.getRequestURI().getPath(),
                                        headers.getFirst("webhook-id"),
                                        headers.getFirst("webhook-timestamp"),
                                        headers.getFirst("webhook-signature"),
                                        new String(
                                                exchange.getRequestBody().readAllBytes(), UTF_8)));
                        exchange.sendResponseHeaders(204, -1);
                    }
                });
        receiver.start();
        product =
                Product.start(
                        folder,
                        "leasehold.webhooks.allowed-networks=127.0.0.1/32",
                        "leasehold.webhooks.allow-http=true");
    }

    @AfterAll
    static void stop() {
        product.close();
        receiver.stop(0);
    }

    @Test
    @Timeout(180)
    void a_webhook_receives_the_signed_events_of_the_project_feed(CapturedOutput output)
            throws Exception {
        create("demo", 30).expect(201);
        JsonNode own = make("demo", Map.of("url", url("/mine")));
        JsonNode others = make("other", Map.of("url", url("/others")));
        make("admin", Map.of("url", url("/all"), "scope", "all"));
        create("demo", 31).expect(201);
        create("other", 32).expect(201);
        // A request and a grant for each.
        while (of("/mine").size() < 2 || of("/others").size() < 2 || of("/all").size() < 4) {
            Thread.sleep(50);
        }

        String feed = product.as("demo").get("/api/events?limit=1000").text();
        String admins = product.as("admin").get("/api/events?limit=1000").text();
        assertThat(of("/mine")).hasSize(2).allMatch(message -> feed.contains(message.body()));
        assertThat(of("/others")).hasSize(2).noneMatch(message -> feed.contains(message.body()));
        assertThat(of("/all")).hasSize(4).allMatch(message -> admins.contains(message.body()));
        String secret = own.path("secret").asString();
        for (Message message : of("/mine")) {
            assertThat(message.body()).contains("\"id\":\"" + message.id() + "\"");
            assertThat(message.signature()).isEqualTo(signature(secret, message));
        }
        assertThat(of("/others").getFirst().signature())
                .isEqualTo(signature(others.path("secret").asString(), of("/others").getFirst()));
        assertThat(output.getAll()).doesNotContain(secret).doesNotContain("/mine");

        String hook = WEBHOOKS + "/" + own.at("/webhook/id").asString();
        product.as("other").get(hook).expect(404);
        assertThat(product.as("demo").get(hook).expect(200).path("waiting").asInt()).isZero();
        product.as("demo").delete(hook).expect(204);
        product.as("demo").get(hook).expect(404);
    }

    @Test
    void only_auditors_see_changes_of_webhooks_and_calendar_feeds() {
        Client demo = product.as("demo");
        JsonNode hook = make("demo", Map.of("url", url("/hidden")));
        String id = hook.at("/webhook/id").asString();
        JsonNode replaced = demo.post(WEBHOOKS + "/" + id + "/secret", Map.of()).expect(200);
        demo.patch(WEBHOOKS + "/" + id, Map.of("url", url("/hidden/too"))).expect(200);
        demo.delete(WEBHOOKS + "/" + id).expect(204);
        demo.delete(WEBHOOKS + "/" + id).expect(404);
        JsonNode feed = demo.post("/api/calendar/feeds", Map.of("name", "ours")).expect(201);
        String opened = feed.path("id").asString();

        Client admin = product.as("admin");
        String subscriptions = "/api/audit/subscriptions?subscription=";
        Answer answer = admin.get(subscriptions + id);
        JsonNode changes = answer.expect(200).path("changes");
        assertThat(actions(changes))
                .containsExactly("removed", "changed", "secret_replaced", "made");
        assertThat(changes.at("/1/before/url").asString()).isEqualTo(url("/…"));
        assertThat(changes.at("/1/after/url").asString()).isEqualTo(url("/…"));
        JsonNode madeFeed = admin.get(subscriptions + opened).expect(200).at("/changes/0");
        assertThat(madeFeed.path("kind").asString()).isEqualTo("calendar_feed");
        assertThat(madeFeed.at("/after/name").asString()).isEqualTo("ours");
        for (JsonNode change : List.of(changes.path(0), changes.path(3), madeFeed)) {
            assertThat(change.path("address").asString()).isEqualTo("127.0.0.1");
            assertThat(change.path("user_id").asString())
                    .isEqualTo(hook.at("/webhook/user").asString());
            assertThat(change.path("project_id").asString())
                    .isEqualTo(hook.at("/webhook/project").asString());
        }
        assertThat(answer.text())
                .doesNotContain(
                        "hidden",
                        hook.path("secret").asString(),
                        replaced.path("secret").asString());
        String secret = feed.path("url").asString().replaceAll(".*/|\\.ics", "");
        assertThat(admin.get("/api/audit/subscriptions").text())
                .contains(opened)
                .doesNotContain(secret);
        product.as("other").get(subscriptions + id).expect(403);
        demo.get(subscriptions + id).expect(403);
    }

    private static List<String> actions(JsonNode changes) {
        return changes.valueStream().map(change -> change.path("action").asString()).toList();
    }

    @Test
    void a_webhook_url_in_a_forbidden_network_answers_400() {
        JsonNode refused =
                product.as("demo")
                        .post(WEBHOOKS, Map.of("url", "https://169.254.169.254/latest/"))
                        .expect(400);

        assertThat(refused.at("/errors/0/field").asString()).isEqualTo("url");
    }

    @Test
    void an_idempotency_key_belongs_to_one_request() {
        Client demo = product.as("demo");
        Map<String, String> wish = Map.of("url", url("/once"));
        JsonNode made = demo.postOnce(WEBHOOKS, "once", wish).expect(201);

        JsonNode again = demo.postOnce(WEBHOOKS, "once", wish).expect(201);
        demo.postOnce(WEBHOOKS, "once", Map.of("url", url("/twice"))).expect(422);
        demo.postOnce("/api/calendar/feeds", "once", Map.of("name", "ours")).expect(422);

        assertThat(again.at("/webhook/id")).isEqualTo(made.at("/webhook/id"));
        assertThat(demo.get(WEBHOOKS).text()).doesNotContain("/twice");
        demo.delete(WEBHOOKS + "/" + made.at("/webhook/id").asString()).expect(204);
    }

    private static List<Message> of(String path) {
        return MESSAGES.stream().filter(message -> message.path().equals(path)).toList();
    }

    private static String url(String path) {
        return "http://127.0.0.1:" + receiver.getAddress().getPort() + path;
    }

    private static JsonNode make(String user, Map<String, String> wish) {
        return product.as(user).post(WEBHOOKS, wish).expect(201);
    }

    /** Returns the signature as a receiver computes it. */
    private static String signature(String secret, Message message) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(
                new SecretKeySpec(
                        Base64.getDecoder().decode(secret.substring("whsec_".length())), "raw"));
        String signed = message.id() + "." + message.time() + "." + message.body();
        return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(UTF_8)));
    }

    private static Client.Answer create(String user, int inDays) {
        Instant start = product.now().plus(Duration.ofDays(inDays));
        return product.as(user)
                .post(
                        "/api/leases",
                        DemoProject.hostRequest(
                                "sent",
                                start,
                                start.plus(Duration.ofMinutes(50)),
                                DemoProject.named("compute-1")));
    }
}
