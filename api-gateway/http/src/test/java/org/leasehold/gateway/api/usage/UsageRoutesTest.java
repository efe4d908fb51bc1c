package org.leasehold.gateway.api.usage;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
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
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.calendar.BookingCalendar.Filter;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.readmodel.label.Labels.ResourceLabel;
import org.leasehold.readmodel.usage.Usages.ListUsage;
import org.leasehold.readmodel.usage.Usages.Usage;
import org.leasehold.readmodel.usage.Usages.Use;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

@ApiTest
class UsageRoutesTest {

    private static final Instant FROM = Instant.parse("2026-10-01T00:00:00Z");
    private static final Instant TO = Instant.parse("2026-10-02T00:00:00Z");
    private static final String WINDOW = "from=" + FROM + "&to=" + TO;

    @Autowired InMemoryEngine engine;
    @Autowired FakeUsages usages;
    @Autowired FakeLabels labels;
    @LocalServerPort int port;

    private ApiClient client;

    @BeforeEach
    void the_engine_starts_empty() {
        engine.reset();
        client = new ApiClient(new InMemoryApi(port, engine));
        labels.clear();
    }

    @AfterEach
    void forget() {
        usages.clear();
        labels.clear();
    }

    private static Usage line(@Nullable String value) {
        return line(value, null);
    }

    private static Usage line(@Nullable String value, @Nullable String other) {
        return new Usage(
                value,
                other,
                ResourceKind.PHYSICAL_HOST,
                new BigDecimal("7200.000000"),
                new BigDecimal("7199.250000"),
                new Use(
                        new BigDecimal("7000.000000"),
                        new BigDecimal("3500.500000"),
                        new BigDecimal("6999.000000"),
                        new BigDecimal("27996.000000")));
    }

    private ListUsage lastQuestion() {
        return usages.questions().getLast();
    }

    @Test
    void usage_is_listed_page_by_page_with_the_lost_time() {
        usages.add(line("astronomy"));
        usages.add(line(null));

        Answer first = client.get("biller", "/api/usage?by=project&limit=1&" + WINDOW);

        JsonNode line = first.json().get("usage").get(0);
        assertThat(first.status()).isEqualTo(200);
        assertThat(line.toString())
                .isEqualTo(
                        """
                        {"value":"astronomy","kind":"physical:host","reserved":7200,\
                        "active":7199.25,"lost":0.75,"observed":7000,"idle":3500.5,"servers":6999,\
                        "vcpus":27996}\
                        """);
        assertThat(first.json().get("from").asString()).isEqualTo(FROM.toString());
        assertThat(first.json().get("to").asString()).isEqualTo(TO.toString());
        String link = first.header("Link");
        assertThat(link).startsWith("</api/usage?").endsWith(">; rel=\"next\"");
        Answer second = client.get("biller", link.substring(1, link.indexOf('>')));
        assertThat(second.json().get("usage").get(0).get("value").isNull()).isTrue();
        assertThat(second.json().get("next").isNull()).isTrue();
        assertThat(lastQuestion().from()).isEqualTo(FROM);
    }

    @ParameterizedTest
    @ValueSource(strings = {"biller", "planner", "auditor", "admin"})
    void roles_for_all_projects_read_the_usage_of_all_or_one_project(String user) {
        client.get(user, "/api/usage?" + WINDOW);
        assertThat(lastQuestion().filter()).isEqualTo(new Filter(null, null, null, null));

        client.get(user, "/api/usage?project=biology&" + WINDOW);
        assertThat(lastQuestion().filter().project()).isEqualTo(new ProjectId("biology"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"member", "reader"})
    void a_project_user_reads_only_usage_of_the_own_project(String user) {
        usages.add(line(null));
        client.get(user, "/api/usage?" + WINDOW);
        assertThat(lastQuestion().filter().project()).isEqualTo(new ProjectId("p1"));

        usages.questions().clear();
        Answer anothers = client.get(user, "/api/usage?project=biology&" + WINDOW);
        assertThat(anothers.json().get("usage")).isEmpty();
        assertThat(usages.questions()).as("nobody looks").isEmpty();
    }

    @Test
    void the_query_is_passed_on_unchanged() {
        UUID lease = UUID.randomUUID();
        client.get(
                "planner",
                "/api/usage?resource=7&project=biology&lease=%s&kind=physical:host&limit=5&%s"
                                .formatted(lease, WINDOW)
                        + "&by=capabilities:gpu");
        assertThat(lastQuestion())
                .isEqualTo(
                        new ListUsage(
                                new Filter(
                                        new ResourceId(7),
                                        new ProjectId("biology"),
                                        new LeaseId(lease),
                                        ResourceKind.PHYSICAL_HOST),
                                List.of("gpu"),
                                Requirement.none(),
                                FROM,
                                TO,
                                ApiTestServer.NOW,
                                null,
                                null,
                                5));
    }

    @Test
    void two_dimensions_and_a_requirement_are_one_query() {
        usages.add(line("astronomy", "V100"));
        usages.add(line("biology", null));

        Answer answer =
                client.get(
                        "planner",
                        "/api/usage?by=project,capabilities:gpu&kind=physical:host&requirement="
                                + encoded("[\"!=\", \"$gpu\", \"K80\"]")
                                + "&limit=1&"
                                + WINDOW);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        JsonNode line = answer.json().at("/usage/0");
        assertThat(line.path("value").asString()).isEqualTo("astronomy");
        assertThat(line.path("values").toString()).isEqualTo("[\"astronomy\",\"V100\"]");
        assertThat(lastQuestion().by()).containsExactly("project", "gpu");
        assertThat(lastQuestion().requirement())
                .isEqualTo(new Comparison(Operator.NOT_EQUAL, "gpu", "K80"));
        String link = answer.header("Link");
        Answer next = client.get("planner", link.substring(1, link.indexOf('>')));
        assertThat(next.json().at("/usage/0/values").toString()).isEqualTo("[\"biology\",null]");
        assertThat(usages.questions()).hasSize(2);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Test
    void usage_by_lease_or_resource_has_names_from_one_query() {
        LeaseId lease = new LeaseId(UUID.randomUUID());
        labels.add(
                lease,
                new LeaseLabel("nightly", new ProjectId("astronomy"), new UserId("ada"), Map.of()));
        labels.add(new ResourceId(7), new ResourceLabel("compute-7", "east"));
        usages.add(line(lease.toString(), "7"));
        usages.add(line(lease.toString(), "8"));

        Answer answer = client.get("planner", "/api/usage?by=lease,resource&" + WINDOW);

        JsonNode line = answer.json().at("/usage/0");
        assertThat(line.path("lease_name").asString()).isEqualTo("nightly");
        assertThat(line.path("project_id").asString()).isEqualTo("astronomy");
        assertThat(line.path("resource_name").asString()).isEqualTo("compute-7");
        assertThat(line.path("resource_zone").asString()).isEqualTo("east");
        assertThat(labels.questions()).containsExactly(Set.of(lease));
    }

    @Test
    void the_default_window_is_the_current_month_until_now() {
        usages.add(line("east"));
        usages.add(line("west"));

        Answer answer = client.get("planner", "/api/usage?by=zone&limit=1");

        assertThat(lastQuestion().from().toString()).endsWith("-01T00:00:00Z");
        String link = answer.header("Link");
        client.get("planner", link.substring(1, link.indexOf('>')));
        assertThat(lastQuestion().to()).as("all pages end there").isEqualTo(ApiTestServer.NOW);
        assertThat(answer.json().get("to").asString()).isEqualTo(ApiTestServer.NOW.toString());
    }

    @Test
    void usage_as_of_an_instant_uses_that_position_and_time() {
        Answer answer = client.get("planner", "/api/usage?as_of=" + ApiTestServer.NOW);
        assertThat(lastQuestion().asOf()).isEqualTo(answer.position());
        assertThat(lastQuestion().now()).isEqualTo(ApiTestServer.NOW);
    }

    @Test
    void the_month_of_a_window_ends_at_the_latest_with_the_last_instant() {
        client.get("planner", "/api/usage?from=9999-12-31T00:00:00Z");

        assertThat(lastQuestion().to()).isEqualTo(Instant.parse("9999-12-31T23:59:59Z"));
    }

    @Test
    void a_window_before_the_first_instant_is_rejected() {
        Answer refused = client.get("planner", "/api/usage?to=1970-01-01T00:00:00Z");

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.names("to")).as(refused.toString()).isTrue();
    }

    @Test
    void a_future_window_is_empty() {
        Answer answer = client.get("planner", "/api/usage?from=2040-01-01T00:00:00Z");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().get("to")).isEqualTo(answer.json().get("from"));
    }

    @ParameterizedTest
    @CsvSource({
        "by=gpu, kind",
        "by=project&requirement=%5B%5D, kind",
        "'by=project,zone,lease', by",
        "'by=zone,zone', by",
        "'by=,zone', kind",
        "requirement=nonsense&kind=physical:host, requirement",
        "by=capabilities:lease&kind=physical:host, by",
        "by=gpu&kind=nonsense, kind",
        "resource=0, resource",
        "lease=nonsense, lease",
        "from=nonsense, from",
        "from=2026-10-02T00:00:00Z&to=2026-10-02T00:00:00Z, to",
        "from=2026-10-02T00:00:00Z&to=2028-10-02T00:00:00Z, to",
        "as_of=2040-01-01T00:00:00Z, as_of",
        "marker=nonsense, marker",
        "limit=1001, limit",
        "nonsense=1, nonsense"
    })
    void an_invalid_parameter_is_rejected_with_the_field_name(String query, String field) {
        Answer refused = client.get("member", "/api/usage?" + query);
        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.names(field)).as(refused.toString()).isTrue();
    }

    @Test
    void only_administrators_group_usage_by_a_hidden_property() {
        client.send(
                "admin",
                "POST",
                "/v1/os-hosts",
                "{\"name\": \"compute-11\", \"secretRack\": \"x\"}");
        Answer hidden =
                client.send(
                        "admin",
                        "PATCH",
                        "/api/properties/physical:host/secretRack",
                        "{\"hidden\": true}");
        assertThat(hidden.status()).as(hidden.toString()).isEqualTo(200);
        String query = "/api/usage?kind=physical:host&by=secretRack";

        assertThat(client.get("biller", query).names("by")).isTrue();
        assertThat(client.get("admin", query).status()).isEqualTo(200);
    }
}
