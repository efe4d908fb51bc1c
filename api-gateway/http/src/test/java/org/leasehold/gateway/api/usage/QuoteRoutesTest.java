package org.leasehold.gateway.api.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.gateway.api.usage.SampleCharges.fee;

import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Charges.LeaseCharges;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.UUID;

/** The quotes for a request. */
@ApiTest
class QuoteRoutesTest extends ChargeRoutesFixture {

    private static final String WISH =
            """
            {"name": "mine", "end": "2026-12-01T00:00:00Z", "reservations": [
                {"kind": "physical:host", "parameters": {"min": 1, "max": 1,
                 "hypervisor_properties": "", "resource_properties": ""}}]}
            """;

    @Test
    void a_quote_returns_the_price_and_stores_nothing() {
        charges.add(
                new LeaseCharges(
                        new LeaseId(new UUID(1, 1)), new ProjectId("p1"), List.of(fee(), fee())));
        long before = engine.position();

        Answer answer = client.send("member", "POST", "/api/quote", WISH);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.json().path("accepted").asBoolean()).isTrue();
        assertThat(answer.json().path("lines")).hasSize(2);
        assertThat(answer.json().at("/totals/0/amount").asString()).isEqualTo("3.00");
        assertThat(engine.position()).isEqualTo(before);
    }

    @Test
    void only_administrators_see_the_hidden_property_behind_a_premium() {
        engine.send(
                new PropertyVisibility(ResourceKind.PHYSICAL_HOST, "secretGpu", true),
                CommandContext.ofEngine(ApiTestServer.NOW, "req-1", null));
        Charge premium = SampleCharges.premium("secretGpu", "V100");
        Charge seen = SampleCharges.premium("gpu", "V100");
        charges.add(
                new LeaseCharges(
                        new LeaseId(new UUID(1, 1)), new ProjectId("p1"), List.of(premium, seen)));

        for (String user : List.of("member", "reader", "biller", "auditor")) {
            JsonNode lease = client.get(user, "/api/charges?" + WINDOW).json().at("/leases/0");
            assertThat(reasons(lease)).as(user).containsExactly("property", "gpu=V100");
            assertThat(lease.at("/lines/0/amount").asString()).isEqualTo("0.50");
            assertThat(lease.at("/totals/0/amount").asString()).isEqualTo("1.00");
        }
        assertThat(reasons(client.get("admin", "/api/charges?" + WINDOW).json().at("/leases/0")))
                .containsExactly("secretGpu=V100", "gpu=V100");
        assertThat(reasons(client.send("member", "POST", "/api/quote", WISH).json()))
                .containsExactly("property", "gpu=V100");
        assertThat(reasons(client.send("admin", "POST", "/api/quote", WISH).json()))
                .containsExactly("secretGpu=V100", "gpu=V100");
    }

    private static List<String> reasons(JsonNode lease) {
        return lease.path("lines").valueStream().map(l -> l.path("reason").asString()).toList();
    }

    @Test
    void a_quote_for_a_ten_year_lease_is_rejected() {
        String ages = WISH.replace("2026-12-01", "2036-12-01");

        Answer refused = client.send("member", "POST", "/api/quote", ages);

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.names("end")).as(refused.toString()).isTrue();
    }

    @Test
    void a_quote_without_price_plans_answers_404() {
        charges.has(false);

        Answer answer = client.send("member", "POST", "/api/quote", WISH);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.json().path("type").asString()).isEqualTo("/problems/no-price-plans");
    }
}
