package org.leasehold.gateway.api.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.api.export.LongResponseLimiter;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.whatif.WhatIfScenario;
import org.leasehold.whatif.WhatIfScenario.Lost;
import org.leasehold.whatif.WhatIfScenario.More;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

@ApiTest
class WhatIfRoutesTest {

    private static final String PATH = "/api/what-if";
    private static final String WINDOW =
            "\"from\": \"2026-11-01T00:00:00Z\", \"to\": \"2026-11-02T00:00:00Z\"";
    private static final Instant FROM = Instant.parse("2026-11-01T00:00:00Z");
    private static final Instant TO = Instant.parse("2026-11-02T00:00:00Z");

    @LocalServerPort private int port;
    @Autowired private InMemoryEngine engine;
    @Autowired private FakeWhatIf worlds;
    private ApiClient client;

    @BeforeEach
    void connect() {
        client = new ApiClient(new InMemoryApi(port, engine));
        client.send(
                "admin", "POST", "/v1/os-hosts", "{\"name\": \"compute-8\", \"gpu\": \"V100\"}");
    }

    private Answer ask(String user, String body) {
        return client.send(user, "POST", PATH, body);
    }

    @Test
    void the_recorded_figures_are_returned_beside_the_changed_figures() {
        Answer answer = ask("planner", "{" + WINDOW + "}");

        String kinds =
                """
                "kinds":[{"kind":"physical:host","enrolled":100,"reservable":80,"reserved":40.5,\
                "lost":0.5,"refused":%s,"forbidden":0,"utilisation":0.5}]\
                """;
        String figures =
                """
                {"requests":{"all":100,"accepted":%s,"refused":%s,"forbidden":0},\
                "changes":{"all":0,"accepted":0,"refused":0,"forbidden":0},"waiting":%s,%s,\
                "weeks":[{"start":"2026-11-01T00:00:00Z",\
                "starts":"2026-11-01T00:00:00Z","end":"2026-11-02T00:00:00Z",\
                "ends":"2026-11-02T00:00:00Z",%s}]}\
                """;
        String was = kinds.formatted("24");
        String wouldBe = kinds.formatted("0");
        assertThat(answer.json().toString())
                .isEqualTo(
                        """
                        {"from":"2026-11-01T00:00:00Z","to":"2026-11-02T00:00:00Z",\
                        "position":12,"events":10,"recorded":%s,"changed":%s,\
                        "not_reproduced":{"count":1,"positions":[3]},"otherwise":1}\
                        """
                                .formatted(
                                        figures.formatted(
                                                99,
                                                1,
                                                """
                                                {"opened":1,"never":0,"mean":"PT2H","longest":"PT2H"}\
                                                """,
                                                was,
                                                was),
                                        figures.formatted(
                                                100,
                                                0,
                                                "{\"opened\":0,\"never\":0}",
                                                wouldBe,
                                                wouldBe)));
    }

    @Test
    void auditors_but_not_planners_see_leases_with_a_changed_outcome() {
        assertThat(ask("auditor", "{" + WINDOW + "}").json().path("leases").toString())
                .isEqualTo(
                        """
                        [{"lease_id":"%1$s","lease":"%1$s","position":5,"at":"2026-11-01T00:00:00Z",\
                        "recorded":"refused","changed":"accepted"}]\
                        """
                                .formatted(FakeWhatIf.LEASE));
        assertThat(ask("planner", "{" + WINDOW + "}").json().has("leases")).isFalse();
    }

    @Test
    void the_scenario_is_passed_on_unchanged() {
        Answer answer =
                ask(
                        "planner",
                        """
                        {%s, "maximum_duration": "P7D", "demand_percent": 120, "limit": 5,
                         "more": [{"kind": "physical:host", "count": 10, "like": 3},
                                  {"kind": "physical:host", "count": 1, "zone": "east",
                                   "properties": {"gpu": "A100"},
                                   "from": "2026-11-01T12:00:00Z"}],
                         "lost": [{"kind": "physical:host", "zone": "west",
                                   "requirement": "[\\"==\\", \\"$gpu\\", \\"V100\\"]"}]}
                        """
                                .formatted(WINDOW));

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(worlds.lastWorld())
                .isEqualTo(
                        new WhatIfScenario(
                                FROM,
                                TO,
                                List.of(
                                        new More(
                                                10,
                                                ResourceKind.PHYSICAL_HOST,
                                                new ResourceId(3),
                                                null,
                                                Map.of(),
                                                FROM),
                                        new More(
                                                1,
                                                ResourceKind.PHYSICAL_HOST,
                                                null,
                                                "east",
                                                Map.of("gpu", "A100"),
                                                FROM.plus(Duration.ofHours(12)))),
                                List.of(
                                        new Lost(
                                                ResourceKind.PHYSICAL_HOST,
                                                "west",
                                                new Comparison(Operator.EQUAL, "gpu", "V100"),
                                                FROM)),
                                Duration.ofDays(7),
                                120,
                                5));
    }

    @Test
    void the_default_scenario_replays_the_last_thirty_days_unchanged() {
        ask("admin", "{}");

        Instant now = Instant.parse("2026-11-21T00:00:00Z");
        assertThat(worlds.lastWorld().isUnchanged()).isTrue();
        assertThat(worlds.lastWorld().from())
                .isEqualTo(worlds.lastWorld().to().minus(Duration.ofDays(30)));
        assertThat(worlds.lastWorld().to()).isBetween(now, now.plus(Duration.ofDays(1)));
    }

    @Test
    void the_default_window_begins_at_the_earliest_with_the_first_instant() {
        Answer answer = ask("planner", "{\"to\": \"1970-01-02T00:00:00Z\"}");

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.json().path("from").asString()).isEqualTo("1970-01-01T00:00:00Z");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "to                 | {\"from\": \"2026-11-02T00:00:00Z\", \"to\":"
                        + " \"2026-11-02T00:00:00Z\"}",
                "to                 | {\"from\": \"2006-11-02T00:00:00Z\"}",
                "maximum_duration   | {\"maximum_duration\": \"PT0S\"}",
                "demand_percent     | {\"demand_percent\": -1}",
                "more               | {\"more\": [{\"kind\": \"physical:host\", \"count\": 9999},"
                        + " {\"kind\": \"physical:host\", \"count\": 2}]}",
                "more[0].count      | {\"more\": [{\"kind\": \"physical:host\"}]}",
                "more[0].kind       | {\"more\": [{\"kind\": \"nothing\", \"count\": 1}]}",
                "more[0].like       | {\"more\": [{\"kind\": \"physical:host\", \"count\": 1,"
                        + " \"like\": 404}]}",
                "more[0].from       | {\"more\": [{\"kind\": \"physical:host\", \"count\": 1,"
                        + " \"from\": \"2006-11-02T00:00:00Z\"}]}",
                "to                 | {\"lost\": [{\"kind\": \"physical:host\", \"zone\":"
                        + " \"busy\"}]}",
                "lost[0].requirement| {\"lost\": [{\"kind\": \"physical:host\","
                        + " \"requirement\": \"x\"}]}",
            })
    void an_invalid_scenario_is_rejected_with_the_field_name(String field, String body) {
        Answer answer = ask("planner", body);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.names(field)).as(answer.toString()).isTrue();
    }

    @Test
    void a_third_concurrent_replay_answers_503() throws Exception {
        String slow =
                "{%s, \"lost\": [{\"kind\": \"physical:host\", \"zone\": \"%s\"}]}"
                        .formatted(WINDOW, FakeWhatIf.SLOW);
        try (ExecutorService others =
                Executors.newFixedThreadPool(LongResponseLimiter.MAX_CONCURRENT)) {
            Future<Answer> first = others.submit(() -> ask("planner", slow));
            Future<Answer> second = others.submit(() -> ask("planner", slow));
            try {
                worlds.begun.await();
                Answer third = ask("planner", "{}");
                assertThat(third.status()).as(third.toString()).isEqualTo(503);
            } finally {
                worlds.mayGoOn.countDown();
            }
            assertThat(first.get().status()).isEqualTo(200);
            assertThat(second.get().status()).isEqualTo(200);
        }
        assertThat(ask("planner", "{}").status()).isEqualTo(200);
    }
}
