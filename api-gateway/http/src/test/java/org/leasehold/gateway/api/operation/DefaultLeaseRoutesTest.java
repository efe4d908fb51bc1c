package org.leasehold.gateway.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.operation.DefaultLeases.Report;
import org.leasehold.readmodel.operation.DefaultLeases.Server;
import org.leasehold.readmodel.operation.DefaultLeases.Verdict;
import org.leasehold.readmodel.operation.Drift.Unseen;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

@ApiTest
class DefaultLeaseRoutesTest {

    private static final String PATH = "/api/operations/default-leases";
    private static final ProjectId PROJECT = new ProjectId("p1");

    @Autowired InMemoryEngine engine;
    @Autowired FakeDefaultLeases defaultLeases;
    @LocalServerPort int port;

    private ApiClient client;

    @BeforeEach
    void connect() {
        client = new ApiClient(new InMemoryApi(port, engine));
    }

    @AfterEach
    void reset() {
        defaultLeases.reset();
    }

    @Test
    void the_report_shows_each_server_with_a_verdict() {
        LeaseId lease = new LeaseId(new UUID(0, 7));
        defaultLeases.report(
                new Report(
                        true,
                        List.of(
                                new Server("b", PROJECT, "", Verdict.LEASED, null, lease, null),
                                new Server(
                                        "a",
                                        PROJECT,
                                        "m1.small",
                                        Verdict.REFUSED,
                                        "There is no room for it then",
                                        null,
                                        Instant.parse("2030-01-01T00:10:00Z"))),
                        List.of(new Unseen(new ResourceKind("parking:space"), "no answer"))));

        JsonNode report = client.get("admin", PATH).json();

        assertThat(report.path("enabled").asBoolean()).isTrue();
        assertThat(report.at("/servers/0").toString())
                .isEqualTo(
                        "{\"server_id\":\"a\",\"project_id\":\"p1\",\"flavor\":\"m1.small\","
                                + "\"verdict\":\"refused\","
                                + "\"reason\":\"There is no room for it then\",\"lease_id\":null,"
                                + "\"next_attempt_at\":\"2030-01-01T00:10:00Z\"}");
        assertThat(report.at("/servers/1/verdict").asString()).isEqualTo("leased");
        assertThat(report.at("/servers/1/lease_id").asString()).isEqualTo(lease.toString());
        assertThat(report.at("/servers/1/reason").isNull()).isTrue();
        assertThat(report.at("/unseen/0/kind").asString()).isEqualTo("parking:space");
        assertThat(report.at("/unseen/0/why").asString()).isEqualTo("no answer");
        assertThat(report.path("next").isNull()).isTrue();
    }

    @Test
    void pages_contain_each_server_once_in_order() {
        defaultLeases.report(
                new Report(
                        false,
                        Stream.of("c", "a", "b")
                                .map(
                                        id ->
                                                new Server(
                                                        id,
                                                        PROJECT,
                                                        "m1.small",
                                                        Verdict.AFFECTED,
                                                        null,
                                                        null,
                                                        null))
                                .toList(),
                        List.of()));

        List<String> listed = new ArrayList<>();
        String path = PATH + "?limit=1";
        for (int i = 0; i < 3; i++) {
            Answer page = client.get("admin", path);
            assertThat(page.json().path("enabled").asBoolean()).isFalse();
            listed.add(page.json().at("/servers/0/server_id").asString());
            path = PATH + "?limit=1&marker=" + page.json().path("next").asString();
        }

        assertThat(listed).containsExactly("a", "b", "c");
    }

    @Test
    void an_invalid_limit_or_marker_is_rejected_by_name() {
        for (String flaw : List.of("limit=0", "limit=1001", "limit=x", "marker=-")) {
            Answer rejected = client.get("admin", PATH + "?" + flaw);
            assertThat(rejected.status()).as(flaw).isEqualTo(400);
            assertThat(rejected.names(flaw.split("=", -1)[0])).as(flaw).isTrue();
        }
    }

    @Test
    void only_operators_read_the_report() {
        for (String user : List.of("member", "reader", "auditor", "planner")) {
            assertThat(client.get(user, PATH).status()).as(user).isEqualTo(403);
        }
    }
}
