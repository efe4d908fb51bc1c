package org.leasehold.gateway.api.usage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.calendar.BookingCalendar.Filter;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.readmodel.label.Labels.ResourceLabel;
import org.leasehold.readmodel.usage.Usages.ListUsage;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import tools.jackson.databind.JsonNode;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Tests the lists of usage, for projects and for roles of all projects. */
@ApiTest
class UsageRoutesTest extends UsageRoutesFixture {

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
