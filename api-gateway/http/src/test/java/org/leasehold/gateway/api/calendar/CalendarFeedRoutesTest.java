package org.leasehold.gateway.api.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import biweekly.Biweekly;
import biweekly.ICalendar;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.command.CommandContext;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.calendar.CalendarFeeds;
import org.leasehold.readmodel.calendar.CalendarFeeds.Places;
import org.leasehold.readmodel.calendar.CalendarFeeds.PlannedLease;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

@ResourceLock(Resources.SYSTEM_OUT)
@ExtendWith(OutputCaptureExtension.class)
@ApiTest
class CalendarFeedRoutesTest {

    private static final String FEEDS = "/api/calendar/feeds";

    @Autowired InMemoryEngine engine;
    @Autowired FakeCalendarFeeds feeds;
    @LocalServerPort int port;

    private ApiClient client;

    @BeforeEach
    void connect() {
        feeds.reset();
        client = new ApiClient(new InMemoryApi(port, engine));
    }

    /** Other tests share the server. */
    @AfterEach
    void forget() {
        feeds.reset();
    }

    private Answer open(String user) {
        Answer opened = client.send(user, "POST", FEEDS, "{\"name\": \"Telescopes\"}");
        assertThat(opened.status()).as(opened.toString()).isEqualTo(201);
        return opened;
    }

    private static String path(Answer opened) {
        return URI.create(opened.json().path("url").asString()).getPath();
    }

    private Answer read(String path, String... headers) {
        var request = client.request("", path);
        return client.send(headers.length == 0 ? request.GET() : request.headers(headers).GET());
    }

    private static PlannedLease lease(int number) {
        Instant start = ApiTestServer.NOW.plus(Duration.ofHours(number));
        return new PlannedLease(
                new LeaseId(new UUID(1, number)),
                "lease " + number,
                LeaseStatus.PENDING,
                start,
                start.plus(Duration.ofHours(1)),
                ApiTestServer.NOW,
                ApiTestServer.NOW,
                1,
                List.of(new Places(ResourceKind.PHYSICAL_HOST, 1, List.of(7L))));
    }

    @Test
    void the_secret_url_of_a_feed_serves_the_calendar() {
        feeds.planned = List.of(lease(1));
        Answer opened = open("member");

        assertThat(opened.json().path("url").asString())
                .matches("http://127\\.0\\.0\\.1:%s/calendar/[\\w-]{43}\\.ics".formatted(port));
        Answer file = read(path(opened));
        assertThat(file.status()).as(file.toString()).isEqualTo(200);
        assertThat(file.header("Content-Type")).isEqualTo("text/calendar;charset=UTF-8");
        assertThat(file.header("Cache-Control")).contains("private").contains("no-cache");
        ICalendar calendar = Biweekly.parse(file.response().body()).first();
        assertThat(calendar.getNames().getFirst().getValue()).isEqualTo("Telescopes");
        assertThat(calendar.getEvents().getFirst().getSummary().getValue()).isEqualTo("lease 1");
        Instant today = Instant.parse("2026-11-21T00:00:00Z");
        assertThat(feeds.from).isEqualTo(today.minus(Duration.ofDays(30)));
        assertThat(feeds.to).isEqualTo(today.plus(Duration.ofDays(366)));
    }

    @Test
    void the_stored_hash_does_not_open_the_feed() {
        Answer opened = open("member");

        String secret = path(opened).replaceAll("/calendar/|\\.ics", "");
        String kept = feeds.byHash.keySet().iterator().next();
        assertThat(kept).matches("[0-9a-f]{64}").isNotEqualTo(secret);
        assertThat(read("/calendar/" + kept + ".ics").status()).isEqualTo(404);
        assertThat(client.get("member", FEEDS).response().body())
                .contains(opened.json().path("id").asString())
                .doesNotContain(secret)
                .doesNotContain(kept);
        assertThat(path(open("member"))).isNotEqualTo(path(opened));
    }

    @Test
    void a_request_repeated_under_a_key_renews_the_url_of_the_feed() {
        Answer lost = openUnderKey("member", "Telescopes");
        Answer repeated = openUnderKey("member", "Telescopes");
        assertThat(repeated.status()).as(repeated.toString()).isEqualTo(201);

        assertThat(repeated.json().path("id")).isEqualTo(lost.json().path("id"));
        assertThat(client.get("member", FEEDS).json().path("feeds")).hasSize(1);
        assertThat(read(path(lost)).status()).isEqualTo(404);
        assertThat(read(path(repeated)).status()).isEqualTo(200);
    }

    @Test
    void a_key_cannot_be_reused_for_another_request() {
        Answer first = openUnderKey("member", "Telescopes");

        for (Answer reused :
                List.of(openUnderKey("member", "Others"), openUnderKey("reader", "Telescopes"))) {
            assertThat(reused.status()).as(reused.toString()).isEqualTo(422);
            assertThat(reused.json().path("type").asString())
                    .isEqualTo("/problems/idempotency-key-reused");
        }
        assertThat(client.get("member", FEEDS).json().path("feeds")).hasSize(1);
        assertThat(read(path(first)).status()).isEqualTo(200);
        assertThat(openUnderKey("stranger", "Telescopes").status()).isEqualTo(201);
    }

    private Answer openUnderKey(String user, String name) {
        return client.send(
                client.request(user, FEEDS).header("Idempotency-Key", "k"),
                "POST",
                "{\"name\": \"%s\"}".formatted(name));
    }

    @Test
    void an_unchanged_feed_answers_304_without_reading_leases() {
        String path = path(open("member"));
        feeds.version = 1;
        String tag = read(path).header("ETag");
        int asked = feeds.asked;

        Answer same = read(path, "If-None-Match", tag);
        assertThat(same.status()).isEqualTo(304);
        assertThat(same.header("ETag")).isEqualTo(tag);
        assertThat(feeds.asked).isEqualTo(asked);

        feeds.version = 2;
        Answer other = read(path, "If-None-Match", tag);
        assertThat(other.status()).isEqualTo(200);
        assertThat(other.header("ETag")).isNotEqualTo(tag);
    }

    @Test
    void an_ended_feed_answers_like_an_unknown_feed_and_leaks_no_secret(CapturedOutput output) {
        Answer opened = open("member");
        String path = path(opened);
        String feed = FEEDS + "/" + opened.json().path("id").asString();
        assertThat(client.send("member", "DELETE", feed, null).status()).isEqualTo(204);

        Answer ended = read(path);
        Answer unknown = read("/calendar/" + "x".repeat(43) + ".ics");
        assertThat(ended.status()).isEqualTo(404);
        assertThat(ended.response().body().replaceAll("req-[0-9a-f-]{36}", ""))
                .isEqualTo(unknown.response().body().replaceAll("req-[0-9a-f-]{36}", ""));
        String secret = path.replaceAll("/calendar/|\\.ics", "");
        assertThat(ended.response().body()).doesNotContain(secret);
        assertThat(client.send("", "POST", path, "{}").toString()).doesNotContain(secret);
        assertThat(output.getAll()).doesNotContain(secret);
        assertThat(client.send("member", "DELETE", feed, null).status()).isEqualTo(404);
    }

    @Test
    void a_feed_is_visible_only_in_the_owning_project() {
        String feed = FEEDS + "/" + open("member").json().path("id").asString();

        assertThat(client.get("stranger", FEEDS).json().path("feeds")).isEmpty();
        assertThat(client.send("stranger", "DELETE", feed, null).status()).isEqualTo(404);
        assertThat(client.send("admin", "DELETE", feed, null).status()).isEqualTo(404);
        assertThat(client.get("reader", FEEDS).json().at("/feeds/0/user_id").asString())
                .isEqualTo("u-member");
    }

    @Test
    void the_user_origin_and_reason_of_a_feed_change_are_passed_on() {
        Answer opened = open("member");
        String feed = FEEDS + "/" + opened.json().path("id").asString();
        Answer ended =
                client.send(
                        client.request("reader", feed)
                                .header("Leasehold-Reason", "she left")
                                .DELETE());
        assertThat(ended.status()).isEqualTo(404);

        CommandContext opener = feeds.by.getFirst();
        assertThat(opener.user()).isEqualTo("u-member");
        assertThat(opener.requestId()).isEqualTo(opened.header("x-openstack-request-id"));
        assertThat(opener.origin()).isNotNull();
        CommandContext reader = feeds.by.getLast();
        assertThat(reader.user()).isEqualTo("u-reader");
        assertThat(reader.requestId()).isEqualTo(ended.header("x-openstack-request-id"));
        assertThat(reader.reason()).isEqualTo("she left");
        assertThat(reader.origin()).isNotNull();
    }

    @Test
    void a_reader_ends_only_own_feeds_and_a_member_ends_any_feed() {
        String members = FEEDS + "/" + open("member").json().path("id").asString();
        String readers = FEEDS + "/" + open("reader").json().path("id").asString();
        String others = FEEDS + "/" + open("reader").json().path("id").asString();

        assertThat(client.send("reader", "DELETE", members, null).status()).isEqualTo(404);
        assertThat(client.send("reader", "DELETE", readers, null).status()).isEqualTo(204);
        assertThat(client.send("member", "DELETE", others, null).status()).isEqualTo(204);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"name\": \" \"}"})
    void the_name_of_a_feed_is_optional(String body) {
        Answer opened = client.send("reader", "POST", FEEDS, body);

        assertThat(opened.status()).as(opened.toString()).isEqualTo(201);
        assertThat(opened.json().path("name").isNull()).isTrue();
        assertThat(read(path(opened)).response().body()).contains("NAME:Leases of p1\r\n");
    }

    @Test
    void a_feed_beyond_the_limit_of_a_project_answers_409() {
        for (int i = 0; i < CalendarFeeds.MAX_PER_PROJECT; i++) {
            open("member");
        }

        Answer refused = client.send("member", "POST", FEEDS, "{}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().path("type").asString()).isEqualTo("/problems/too-many-feeds");
        open("stranger");
    }

    @Test
    void a_feed_shows_the_first_5000_leases_and_mentions_the_limit() {
        feeds.planned =
                IntStream.rangeClosed(1, CalendarFileRoutes.MAX_LEASES + 1)
                        .mapToObj(CalendarFeedRoutesTest::lease)
                        .toList();

        ICalendar calendar = Biweekly.parse(read(path(open("member"))).response().body()).first();
        assertThat(calendar.getEvents()).hasSize(CalendarFileRoutes.MAX_LEASES);
        assertThat(calendar.getDescriptions().getFirst().getValue())
                .contains("only the first 5000 leases");
    }

    @Test
    void a_feed_request_ignores_invalid_credentials() {
        String path = path(open("member"));

        assertThat(read(path, "Authorization", "Basic Z3Vlc3M6d3Jvbmc=").status()).isEqualTo(200);
        assertThat(read(path, "Authorization", "Bearer x").status()).isEqualTo(200);
        assertThat(read(path, "X-Auth-Token", "x").status()).isEqualTo(200);
    }
}
