package org.leasehold.gateway.api.usage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.gateway.api.FakeLabels;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.readmodel.usage.IdleLeases.IdleLease;
import org.leasehold.readmodel.usage.IdleLeases.ListIdleLeases;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

@ApiTest
class IdleRoutesTest {

    private static final LeaseId LEASE = new LeaseId(new UUID(1, 1));
    private static final LeaseId OTHER = new LeaseId(new UUID(1, 2));

    @Autowired InMemoryEngine engine;
    @Autowired FakeIdleLeases leases;
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
        leases.clear();
        labels.clear();
    }

    private static IdleLease idle(LeaseId lease) {
        return new IdleLease(
                lease,
                new ProjectId("astronomy"),
                ResourceKind.PHYSICAL_HOST,
                2,
                ApiTestServer.NOW.minusSeconds(1800),
                true,
                new BigDecimal("3600.500000"));
    }

    private ListIdleLeases lastQuestion() {
        return leases.questions().getLast();
    }

    @Test
    void an_active_idle_lease_is_listed_with_the_names_and_the_start() {
        leases.add(idle(LEASE));
        leases.add(idle(OTHER));
        labels.add(
                LEASE,
                new LeaseLabel("nightly", new ProjectId("astronomy"), new UserId("ada"), Map.of()));

        Answer answer = client.get("planner", "/api/usage/idle?active=true&limit=1");

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.json().at("/leases/0").toString())
                .isEqualTo(
                        """
                        {"lease_id":"%s","lease_name":"nightly","project_id":"astronomy","user_id":"ada",\
                        "kind":"physical:host","resources":2,"since":"2026-11-21T00:03:30Z",\
                        "active":true,"idle":3600.5}\
                        """
                                .formatted(LEASE));
        assertThat(lastQuestion().activeOnly()).isTrue();
        assertThat(lastQuestion().filter().project()).isNull();
        assertThat(labels.questions()).as("one query a page").containsExactly(Set.of(LEASE));
        String link = answer.header("Link");
        Answer next = client.get("planner", link.substring(1, link.indexOf('>')));
        assertThat(next.json().at("/leases/0/lease_id").asString()).isEqualTo(OTHER.toString());
        assertThat(next.json().path("next").isNull()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"member", "reader"})
    void a_project_user_sees_only_idle_leases_of_the_own_project(String user) {
        leases.add(idle(LEASE));
        client.get(user, "/api/usage/idle");
        assertThat(lastQuestion().filter().project()).isEqualTo(new ProjectId("p1"));

        leases.questions().clear();
        Answer others = client.get(user, "/api/usage/idle?project=astronomy");
        assertThat(others.json().path("leases")).isEmpty();
        assertThat(leases.questions()).isEmpty();
    }

    @Test
    void idle_leases_as_of_an_instant_use_that_position_and_time() {
        Answer answer = client.get("planner", "/api/usage/idle?as_of=" + ApiTestServer.NOW);

        assertThat(lastQuestion().asOf()).isEqualTo(answer.position());
        assertThat(lastQuestion().now()).isEqualTo(ApiTestServer.NOW);
        assertThat(lastQuestion().activeOnly()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "active=perhaps, active",
        "kind=nonsense, kind",
        "from=2026-10-02T00:00:00Z&to=2026-10-02T00:00:00Z, to",
        "as_of=2040-01-01T00:00:00Z, as_of",
        "marker=nonsense, marker",
        "limit=0, limit",
        "nonsense=1, nonsense"
    })
    void an_invalid_parameter_is_rejected_with_the_field_name(String query, String field) {
        Answer refused = client.get("member", "/api/usage/idle?" + query);

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.names(field)).as(refused.toString()).isTrue();
    }
}
