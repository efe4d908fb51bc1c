package org.leasehold.gateway.api.me;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.limits.LimitSettings;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import tools.jackson.databind.JsonNode;

import java.util.List;

@ApiTest
class MeRoutesTest {

    @Autowired InMemoryEngine engine;
    @Autowired LimitSettings settings;
    @LocalServerPort int port;

    private ApiClient client;

    @BeforeEach
    void connect() {
        client = new ApiClient(new InMemoryApi(port, engine));
    }

    private JsonNode me(String user) {
        return client.get(user, "/api/me").json();
    }

    @Test
    void a_caller_sees_user_project_and_roles() {
        JsonNode me = me("member");

        assertThat(me.path("user_id").asString()).isEqualTo("u-member");
        assertThat(me.path("user_name").asString()).isEqualTo("member");
        assertThat(me.path("project_id").asString()).isEqualTo("p1");
        assertThat(me.path("project_name").asString()).isEqualTo("p1");
        assertThat(texts(me.path("roles"))).containsExactly("member");
        assertThat(me.path("login").asString()).isEqualTo("basic");
        assertThat(me.path("now").asString()).isEqualTo(ApiTestServer.NOW.toString());
    }

    @Test
    void a_caller_sees_only_permitted_actions() {
        assertThat(texts(me("reader").path("actions")))
                .contains("leasehold:leases:get", "leasehold:resources:get")
                .doesNotContain("leasehold:leases:post", "leasehold:capacity:get");
        assertThat(texts(me("member").path("actions")))
                .contains("leasehold:leases:post", "blazar:leases:post")
                .doesNotContain("leasehold:resources:post", "leasehold:operations:use");
        assertThat(texts(me("biller").path("actions")))
                .contains("leasehold:charges:get")
                .doesNotContain("leasehold:resources:get");
        assertThat(texts(me("admin").path("actions")))
                .contains("leasehold:leases:post", "leasehold:operations:use");
    }

    @Test
    void a_caller_sees_what_the_engine_offers() {
        JsonNode me = me("reader");

        assertThat(texts(me.path("kinds"))).contains("physical:host").isSorted();
        assertThat(me.at("/price_plans/0/name").asString()).isEqualTo("2026");
        assertThat(me.at("/price_plans/0/currency").asString()).isEqualTo("EUR");
        assertThat(me.path("version").asString()).isEqualTo("1.0.0");
        assertThat(me.path("simulated").asBoolean()).isTrue();
    }

    @Test
    void a_caller_sees_the_limits_of_the_settings() {
        JsonNode limits = me("planner").path("limits");

        assertThat(limits.path("requests_per_second").asInt())
                .isEqualTo(settings.requests().perSecond());
        assertThat(limits.path("request_burst").asInt()).isEqualTo(settings.requests().burst());
        assertThat(limits.path("requests_at_once").asInt()).isEqualTo(settings.requests().atOnce());
        assertThat(limits.path("body_bytes").asLong())
                .isEqualTo(settings.bodies().largest().toBytes());
        assertThat(limits.path("template_body_bytes").asLong())
                .isEqualTo(settings.bodies().largestTemplate().toBytes());
        assertThat(limits.path("page_entries").asInt()).isEqualTo(1000);
        assertThat(limits.path("reservations_per_lease").asInt()).isEqualTo(100);
        assertThat(limits.path("leases_per_project").asLong()).isEqualTo(10_000);
        assertThat(limits.path("values_per_property").asInt()).isEqualTo(1000);
        assertThat(limits.path("webhooks_per_project").asInt()).isPositive();
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asString).toList();
    }
}
