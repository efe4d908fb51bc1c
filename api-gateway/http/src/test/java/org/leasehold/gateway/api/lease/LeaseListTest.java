package org.leasehold.gateway.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Tests filters, orders and pages of the list of leases, and pages of histories. */
@ApiTest
class LeaseListTest extends ApiLeasesFixture {

    private static final String HOST =
            "{\"kind\": \"physical:host\", \"parameters\": {\"min\": 1, \"max\": 1}}";

    private Answer list(String user, String query) {
        return client.get(user, "/api/leases?" + query);
    }

    private List<String> names(String user, String query) {
        Answer answer = list(user, query);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.json()
                .path("leases")
                .valueStream()
                .map(lease -> lease.path("name").asString())
                .toList();
    }

    private void createUntil(String name, String end) {
        Answer created =
                client.send(
                        "member",
                        "POST",
                        "/api/leases",
                        "{\"name\": \"%s\", \"end\": \"%s\", \"reservations\": [%s]}"
                                .formatted(name, end, HOST));
        assertThat(created.status()).as(created.toString()).isEqualTo(201);
    }

    @Test
    void each_filter_narrows_the_list() {
        createUntil("long", "2026-11-25T00:00:00Z");
        createUntil("short", "2026-11-22T10:00:00Z");
        JsonNode lease = list("member", "").json().at("/leases/0");
        String project = lease.path("project_id").asString();
        String user = lease.path("user_id").asString();

        assertThat(names("member", "name=sh")).containsExactly("short");
        assertThat(names("member", "end_after=2026-11-24T00:00:00Z")).containsExactly("long");
        assertThat(names("member", "start_before=2026-11-01T00:00:00Z")).isEmpty();
        assertThat(names("member", "kind=physical:host")).containsExactly("long", "short");
        assertThat(names("member", "kind=flavor:instance")).isEmpty();
        assertThat(names("member", "user=" + user)).hasSize(2);
        assertThat(names("member", "user=nobody")).isEmpty();
        assertThat(names("member", "resource=99")).isEmpty();
        assertThat(names("member", "project=" + project)).hasSize(2);
        assertThat(names("member", "status=inactive,ended")).hasSize(2);
        assertThat(names("member", "status=ended,error")).isEmpty();
        assertThat(names("planner", "project=" + project + "&name=lo&kind=physical:host"))
                .containsExactly("long");
        assertThat(names("planner", "project=another")).isEmpty();
    }

    @Test
    void an_order_decides_the_first_lease() {
        createUntil("long", "2026-11-25T00:00:00Z");
        createUntil("short", "2026-11-22T10:00:00Z");

        assertThat(names("member", "order=end")).containsExactly("short", "long");
        assertThat(names("member", "order=-end")).containsExactly("long", "short");
        assertThat(names("member", "order=created")).containsExactly("long", "short");
        assertThat(names("member", "order=-created")).containsExactly("short", "long");
    }

    @Test
    void another_projects_leases_are_an_empty_list_for_members() {
        createUntil("ours", "2026-11-25T00:00:00Z");
        String project = list("member", "").json().at("/leases/0").path("project_id").asString();

        Answer foreign = list("stranger", "project=" + project + "&limit=1");
        Answer unknown = list("stranger", "project=nowhere&limit=1");

        assertThat(foreign.status()).isEqualTo(200);
        assertThat(foreign.json()).isEqualTo(unknown.json());
        assertThat(foreign.json().path("leases").size()).isZero();
        assertThat(foreign.header("Link")).isEmpty();
        assertThat(list("stranger", "project=" + project + "&marker=x").names("marker")).isTrue();
    }

    @Test
    void a_wrong_filter_is_rejected_by_name() {
        for (String wrong :
                List.of(
                        "order=name",
                        "order=+created",
                        "status=Active",
                        "status=active,",
                        "status=active;ended",
                        "kind=nonsense",
                        "resource=0",
                        "name=",
                        "start_before=tomorrow",
                        "end_after=2026-11-24")) {
            Answer answer = list("member", wrong);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
            assertThat(answer.names(wrong.substring(0, wrong.indexOf('=')))).isTrue();
        }
    }

    @Test
    void a_list_of_the_past_rejects_filters_of_the_present_by_name() {
        String asOf = "&as_of=" + ApiTestServer.NOW;
        for (String filter :
                List.of(
                        "name=n",
                        "kind=physical:host",
                        "user=u",
                        "resource=1",
                        "status=retrying",
                        "status=active,retrying",
                        "start_before=2026-11-24T00:00:00Z",
                        "end_after=2026-11-24T00:00:00Z",
                        "order=start",
                        "order=-end")) {
            Answer answer = list("member", filter + asOf);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
            assertThat(answer.names(filter.substring(0, filter.indexOf('=')))).isTrue();
        }
        assertThat(list("member", "status=active,ended&order=-created" + asOf).status())
                .isEqualTo(200);
        assertThat(list("planner", "project=nowhere" + asOf).status()).isEqualTo(200);
    }

    @Test
    void a_filter_by_resource_waits_for_the_bookings() {
        create();
        String here = Long.toString(engine.position());
        Answer answer =
                client.send(
                        client.request("reader", "/api/leases?resource=1")
                                .header("Leasehold-Position", here)
                                .GET());
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Leasehold-Position")).isEqualTo(here);
    }

    @Test
    void a_history_ends_after_the_last_page() {
        String history = create().header("Location") + "/history";

        Answer first = client.get("auditor", history + "?limit=1");
        assertThat(first.json().path("events").size()).isEqualTo(1);
        assertThat(first.json().path("next").isNull()).isTrue();
        assertThat(first.header("Link")).isEmpty();
        Answer beyond = client.get("auditor", history + "?marker=7");
        assertThat(beyond.status()).isEqualTo(200);
        assertThat(beyond.json().path("events").size()).isZero();
        assertThat(client.get("stranger", history + "?marker=7").status()).isEqualTo(404);
        assertThat(client.get("auditor", history + "?marker=-1").names("marker")).isTrue();
        assertThat(client.get("auditor", history + "?limit=1001").names("limit")).isTrue();
    }

    @Test
    void allocations_have_pages() {
        long first = enrol();
        long second =
                client.send(
                                "admin",
                                "POST",
                                "/api/resources",
                                "{\"kind\": \"physical:host\", \"name\": \"compute-2\"}")
                        .json()
                        .path("id")
                        .asLong();
        String all = "/api/resources/allocations?kind=physical:host";

        Answer page = client.get("planner", all + "&limit=1");
        assertThat(page.json().at("/allocations/0/resource_id").asLong()).isEqualTo(first);
        String link = page.header("Link");
        assertThat(link).endsWith(">; rel=\"next\"");
        Answer last = client.get("planner", link.substring(1, link.indexOf('>')));
        assertThat(last.json().path("allocations").size()).isEqualTo(1);
        assertThat(last.json().at("/allocations/0/resource_id").asLong()).isEqualTo(second);
        assertThat(last.header("Link")).isEmpty();
        assertThat(client.get("planner", all).json().path("allocations").size()).isEqualTo(2);
        assertThat(client.get("planner", all + "&marker=x").names("marker")).isTrue();
    }
}
