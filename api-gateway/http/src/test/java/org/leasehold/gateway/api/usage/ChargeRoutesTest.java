package org.leasehold.gateway.api.usage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.command.CommandContext;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.gateway.api.FakeLabels;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Charge.Time;
import org.leasehold.readmodel.usage.Charge.Use;
import org.leasehold.readmodel.usage.Charge.What;
import org.leasehold.readmodel.usage.Charges.LeaseCharges;
import org.leasehold.readmodel.usage.Charges.ListCharges;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.UUID;

@ApiTest
class ChargeRoutesTest {

    private static final Instant FROM = Instant.parse("2026-10-01T00:00:00Z");
    private static final Instant TO = Instant.parse("2026-11-01T00:00:00Z");
    private static final String WINDOW = "from=" + FROM + "&to=" + TO;
    private static final String WISH =
            """
            {"name": "mine", "end": "2026-12-01T00:00:00Z", "reservations": [
                {"kind": "physical:host", "parameters": {"min": 1, "max": 1,
                 "hypervisor_properties": "", "resource_properties": ""}}]}
            """;
    private static final Currency EUR = Currency.getInstance("EUR");
    private static final ReservationId R = new ReservationId(new UUID(2, 1));

    @Autowired InMemoryEngine engine;
    @Autowired FakeCharges charges;
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
        charges.has(true);
        engine.reset();
        charges.clear();
        labels.clear();
    }

    private static Charge usage(Instant until) {
        return new Charge(
                R,
                ResourceKind.PHYSICAL_HOST,
                new Use(
                        new ResourceId(7),
                        "compute-7",
                        ResourceKind.PHYSICAL_HOST,
                        2,
                        Use.SLOT,
                        Time.ACTIVE),
                What.USAGE,
                null,
                "2026",
                FROM,
                until,
                new BigDecimal("0.125"),
                EUR);
    }

    private static Charge fee() {
        return new Charge(
                R,
                ResourceKind.PHYSICAL_HOST,
                null,
                What.RESERVATION_FEE,
                null,
                "2026",
                FROM,
                FROM,
                new BigDecimal("1.5"),
                EUR);
    }

    private ListCharges lastQuestion() {
        return charges.questions().getLast();
    }

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

    @Test
    void sums_by_lease_or_project_have_no_lines_and_the_totals_of_the_window() {
        LeaseId first = new LeaseId(new UUID(1, 1));
        LeaseId second = new LeaseId(new UUID(1, 2));
        ProjectId project = new ProjectId("astronomy");
        charges.add(new LeaseCharges(first, project, List.of(fee(), usage(TO))));
        charges.add(new LeaseCharges(second, project, List.of(fee())));
        labels.add(first, new LeaseLabel("nightly", project, new UserId("ada"), Map.of()));

        Answer byLease = client.get("biller", "/api/charges?by=lease&limit=1&" + WINDOW);
        Answer byProject = client.get("biller", "/api/charges?by=project&" + WINDOW);
        Answer withoutLines = client.get("biller", "/api/charges?lines=false&limit=1&" + WINDOW);

        assertThat(byLease.json().path("leases").toString())
                .isEqualTo(
                        """
                        [{"lease_id":"%1$s","lease":"%1$s","project_id":"astronomy",\
                        "project":"astronomy","lines":[],\
                        "totals":[{"amount":"187.50","currency":"EUR"}],"lease_name":"nightly"}]\
                        """
                                .formatted(first));
        assertThat(byLease.json().path("totals").toString())
                .isEqualTo("[{\"amount\":\"189.00\",\"currency\":\"EUR\"}]");
        String link = byLease.header("Link");
        Answer rest = client.get("biller", link.substring(1, link.indexOf('>')));
        assertThat(rest.json().at("/leases/0/lease").asString()).isEqualTo(second.toString());
        assertThat(rest.json().path("totals")).isEqualTo(byLease.json().path("totals"));
        assertThat(rest.json().path("next").isNull()).isTrue();
        assertThat(byProject.json().toString())
                .isEqualTo(
                        """
                        {"leases":[],"next":null,"projects":[{"project_id":"astronomy","leases":2,\
                        "totals":[{"amount":"189.00","currency":"EUR"}]}],\
                        "totals":[{"amount":"189.00","currency":"EUR"}]}\
                        """);
        assertThat(withoutLines.json()).isEqualTo(byLease.json());
    }

    @Test
    void a_member_sees_no_sums_of_another_project() {
        charges.add(new LeaseCharges(new LeaseId(R.value()), new ProjectId("p2"), List.of(fee())));

        for (String by : List.of("lease", "project")) {
            Answer others = client.get("member", "/api/charges?project=p2&by=" + by);
            assertThat(others.json().path("leases")).isEmpty();
            assertThat(others.json().path("projects")).isEmpty();
            assertThat(others.json().path("totals")).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "by=user, by",
        "lines=perhaps, lines",
        "by=lease&marker=nonsense, marker",
        "by=project&marker=nonsense, marker"
    })
    void an_invalid_parameter_of_sums_is_rejected(String query, String field) {
        Answer refused = client.get("biller", "/api/charges?" + query);

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.names(field)).as(refused.toString()).isTrue();
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
        Charge premium = FakeCharges.premium("secretGpu", "V100");
        Charge seen = FakeCharges.premium("gpu", "V100");
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
