package org.leasehold.gateway.api.refusal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.calendar.Shortage;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.gateway.api.FakeLabels;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.readmodel.refusal.Refusals.Reason;
import org.leasehold.readmodel.refusal.Refusals.Refusal;
import org.leasehold.readmodel.refusal.Refusals.RefusalCount;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

@ApiTest
class RefusalRoutesTest {

    private static final LeaseId LEASE = new LeaseId(new UUID(1, 1));
    private static final ReservationId RESERVATION = new ReservationId(new UUID(2, 1));
    private static final LeasePeriod PERIOD =
            new LeasePeriod(
                    Instant.parse("2026-12-01T00:00:00Z"), Instant.parse("2026-12-02T00:00:00Z"));

    @Autowired InMemoryEngine engine;
    @Autowired FakeRefusals refusals;
    @Autowired FakeLabels labels;
    @LocalServerPort int port;

    private ApiClient client;

    @BeforeEach
    void connect() {
        client = new ApiClient(new InMemoryApi(port, engine));
        labels.clear();
    }

    @AfterEach
    void forget() {
        refusals.clear();
        labels.clear();
    }

    private static Refusal refusal(long position, boolean isChange) {
        return new Refusal(
                position,
                LEASE,
                new ProjectId("astronomy"),
                isChange,
                new UserId("ada"),
                ApiTestServer.NOW,
                PERIOD,
                List.of(new ReservationWish(RESERVATION, ResourceKind.VIRTUAL_INSTANCE, Map.of())),
                List.of(
                        new Shortage(
                                RESERVATION,
                                ResourceKind.PHYSICAL_HOST,
                                3,
                                2,
                                1,
                                PERIOD,
                                0,
                                null)));
    }

    @Test
    void a_refusal_has_the_window_the_requested_kind_and_the_shortage() {
        refusals.add(refusal(9, false));
        refusals.add(refusal(7, true));
        refusals.add(new RefusalCount(ResourceKind.PHYSICAL_HOST, Reason.NOT_ENOUGH_MATCHING, 2));
        labels.add(
                LEASE,
                new LeaseLabel("nightly", new ProjectId("astronomy"), new UserId("ada"), Map.of()));

        Answer answer = client.get("planner", "/api/refusals?limit=1");

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        JsonNode line = answer.json().at("/refusals/0");
        assertThat(line.path("lease_name").asString()).isEqualTo("nightly");
        assertThat(line.path("user_id").asString()).isEqualTo("ada");
        assertThat(line.path("change").asBoolean()).isFalse();
        assertThat(line.path("start").asString()).isEqualTo("2026-12-01T00:00:00Z");
        assertThat(line.at("/shortages/0/kind").asString()).isEqualTo("virtual:instance");
        assertThat(line.at("/shortages/0/missing").asInt()).isEqualTo(2);
        assertThat(answer.json().path("counts").toString())
                .isEqualTo(
                        """
                        [{"kind":"physical:host","reason":"not_enough_matching","refusals":2}]\
                        """);
        String link = answer.header("Link");
        Answer next = client.get("planner", link.substring(1, link.indexOf('>')));
        assertThat(next.json().at("/refusals/0/change").asBoolean()).isTrue();
        assertThat(next.json().has("counts")).as("only the first page counts").isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"member", "reader"})
    void a_project_user_sees_only_refusals_of_the_own_project(String user) {
        refusals.add(refusal(9, false));
        refusals.add(new RefusalCount(ResourceKind.PHYSICAL_HOST, Reason.NOT_ENOUGH_FREE, 1));
        client.get(user, "/api/refusals");
        assertThat(refusals.questions().getLast().project()).isEqualTo(new ProjectId("p1"));

        refusals.questions().clear();
        Answer others = client.get(user, "/api/refusals?project=astronomy");
        assertThat(others.json().path("refusals")).isEmpty();
        assertThat(others.json().path("counts")).isEmpty();
        assertThat(refusals.questions()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"planner", "auditor", "admin"})
    void roles_for_all_projects_see_refusals_of_all(String user) {
        client.get(user, "/api/refusals");

        assertThat(refusals.questions().getLast().project()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "from=2026-10-02T00:00:00Z&to=2026-10-02T00:00:00Z, to",
        "from=2026-10-02T00:00:00Z&to=2028-10-02T00:00:00Z, to",
        "marker=nonsense, marker",
        "limit=101, limit",
        "nonsense=1, nonsense"
    })
    void an_invalid_parameter_is_rejected_with_the_field_name(String query, String field) {
        Answer refused = client.get("member", "/api/refusals?" + query);

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.names(field)).as(refused.toString()).isTrue();
    }
}
