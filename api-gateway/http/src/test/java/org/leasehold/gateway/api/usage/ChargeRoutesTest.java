package org.leasehold.gateway.api.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.gateway.api.usage.SampleCharges.fee;
import static org.leasehold.gateway.api.usage.SampleCharges.usage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Charges.LeaseCharges;
import org.leasehold.readmodel.usage.Charges.ListCharges;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The charges of leases. */
@ApiTest
class ChargeRoutesTest extends ChargeRoutesFixture {

    @Test
    void charges_are_listed_by_lease_with_rounded_totals() {
        LeaseId first = new LeaseId(new UUID(1, 1));
        LeaseId second = new LeaseId(new UUID(1, 2));
        ProjectId project = new ProjectId("astronomy");
        List<Charge> lines = List.of(fee(), usage(FROM.plusSeconds(5400)));
        charges.add(new LeaseCharges(first, project, lines));
        charges.add(new LeaseCharges(second, project, List.of(fee())));

        Answer answer = client.get("biller", "/api/charges?" + WINDOW);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        JsonNode lease = answer.json().at("/leases/0");
        assertThat(lease.path("lease").asString()).isEqualTo(first.toString());
        assertThat(lease.path("project").asString()).isEqualTo("astronomy");
        assertThat(lease.at("/lines/0").toString())
                .isEqualTo(
                        """
                        {"reservation_id":"%1$s","reservation":"%1$s","kind":"physical:host",\
                        "what":"reservation_fee","plan":"2026","start":"%2$s","from":"%2$s",\
                        "end":"%2$s","until":"%2$s",\
                        "hours":"1","price":"1.5","amount":"1.50","currency":"EUR"}\
                        """
                                .formatted(R, FROM));
        assertThat(lease.at("/lines/1").toString())
                .isEqualTo(
                        """
                        {"reservation_id":"%1$s","reservation":"%1$s","kind":"physical:host",\
                        "what":"usage","plan":"2026","start":"%2$s","from":"%2$s",\
                        "end":"2026-10-01T01:30:00Z",\
                        "until":"2026-10-01T01:30:00Z","resource_id":7,"resource":7,\
                        "resource_name":"compute-7","resource_kind":"physical:host","quantity":2,"unit":"slot",\
                        "time":"active","hours":"3","price":"0.125","amount":"0.38",\
                        "currency":"EUR"}\
                        """
                                .formatted(R, FROM));
        assertThat(lease.at("/totals").toString())
                .isEqualTo("[{\"amount\":\"1.88\",\"currency\":\"EUR\"}]");
        String link = answer.header("Link");
        assertThat(link).startsWith("</api/charges?").endsWith(">; rel=\"next\"");
        Answer rest = client.get("biller", link.substring(1, link.indexOf('>')));
        assertThat(rest.json().at("/leases/0/lease").asString()).isEqualTo(second.toString());
        assertThat(rest.json().path("next").isNull()).isTrue();
        assertThat(lastQuestion().from()).isEqualTo(FROM);
        assertThat(lastQuestion().to()).isEqualTo(TO);
    }

    private ListCharges lastQuestion() {
        return charges.questions().getLast();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/charges", "/api/charges/focus"})
    void charges_as_of_an_instant_use_that_position_and_time(String path) {
        Answer answer = client.get("biller", path + "?as_of=" + ApiTestServer.NOW);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(lastQuestion().asOf()).isEqualTo(answer.position());
        assertThat(lastQuestion().now()).isEqualTo(ApiTestServer.NOW);

        Answer refused = client.get("biller", path + "?as_of=2040-01-01T00:00:00Z");
        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.names("as_of")).as(refused.toString()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"reader", "member"})
    void a_project_user_reads_only_charges_of_the_own_project(String user) {
        client.get(user, "/api/charges?" + WINDOW);
        assertThat(lastQuestion().project()).isEqualTo(new ProjectId("p1"));

        charges.add(new LeaseCharges(new LeaseId(R.value()), new ProjectId("p2"), List.of(fee())));
        Answer others = client.get(user, "/api/charges?project=p2&" + WINDOW);
        assertThat(others.json().toString()).isEqualTo("{\"leases\":[],\"next\":null}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"biller", "auditor", "admin"})
    void billers_auditors_and_administrators_read_charges_of_all_projects(String user) {
        client.get(user, "/api/charges?" + WINDOW);
        assertThat(lastQuestion().project()).isNull();

        client.get(user, "/api/charges?project=p2&" + WINDOW);
        assertThat(lastQuestion().project()).isEqualTo(new ProjectId("p2"));
    }

    @Test
    void the_default_window_is_the_current_month() {
        client.get("biller", "/api/charges");

        assertThat(lastQuestion().from()).isEqualTo(Instant.parse("2026-11-01T00:00:00Z"));
        assertThat(lastQuestion().to()).isEqualTo(Instant.parse("2026-12-01T00:00:00Z"));
        assertThat(lastQuestion().now()).isEqualTo(ApiTestServer.NOW);
    }

    @Test
    void charges_without_price_plans_answer_404() {
        charges.has(false);

        Answer answer = client.get("biller", "/api/charges?" + WINDOW);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.json().path("type").asString()).isEqualTo("/problems/no-price-plans");
    }

    @ParameterizedTest
    @CsvSource({
        "from=2026-11-02T00:00:00Z&to=2026-11-02T00:00:00Z, to",
        "from=2025-01-01T00:00:00Z&to=2026-01-02T00:00:01Z, to",
        "from=yesterday, from",
        "marker=x, marker",
        "limit=1001, limit",
        "colour=red, colour"
    })
    void an_invalid_parameter_is_rejected_with_the_field_name(String query, String field) {
        Answer refused = client.get("member", "/api/charges?" + query);

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.names(field)).as(refused.toString()).isTrue();
    }

    @Test
    void an_internal_error_answers_500_without_field_errors() {
        for (String marker : List.of("", "&marker=" + new UUID(1, 1))) {
            Answer failed = client.get("biller", "/api/charges?project=broken" + marker);

            assertThat(failed.status()).as(failed.toString()).isEqualTo(500);
            assertThat(failed.json().has("errors")).as(failed.toString()).isFalse();
        }
    }
}
