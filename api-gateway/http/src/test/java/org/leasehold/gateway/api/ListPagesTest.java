package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.OpenApiDocument.Operation;
import org.leasehold.gateway.api.calendar.FakeCalendarFeeds;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.operation.Drift;
import org.leasehold.readmodel.operation.StuckActionQuery.Change;
import org.leasehold.readmodel.operation.StuckActionQuery.StuckAction;
import org.leasehold.readmodel.operation.StuckActionQuery.Target;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.TrustId;
import org.leasehold.vocabulary.UserId;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Tests that lists have pages. */
@ApiTest
class ListPagesTest {

    private static final Pattern LINK = Pattern.compile("<(.*)>; rel=\"next\"");

    /** Responses whose parameters or subjects limit the lists in them. */
    private static final Set<String> LIMITED =
            Set.of(
                    "findAvailabilityByQuery",
                    "forecastCapacity",
                    "getCapacity",
                    "listEventNumbers",
                    "showAuditChain",
                    "showKind",
                    "showLease",
                    "showMe",
                    "showWebhook");

    @Autowired RequestMappingHandlerMapping mapping;
    @Autowired InMemoryEngine engine;
    @Autowired FakeAvailability cloud;
    @Autowired FakeCalendarFeeds feeds;
    @LocalServerPort int port;

    private ApiClient client;
    private OpenApiDocument document;

    @BeforeEach
    void connect() {
        engine.reset();
        reset();
        InMemoryApi api = new InMemoryApi(port, engine);
        client = new ApiClient(api);
        document = OpenApiDocument.of(api);
    }

    @AfterEach
    void reset() {
        cloud.reset();
        feeds.reset();
    }

    @Test
    void a_response_with_a_list_has_pages() {
        Set<String> found = new TreeSet<>();
        for (Operation operation : lists()) {
            JsonNode response = response(operation);
            if (!response.has("next")) {
                found.add(operation.description().path("operationId").asString());
            }
        }
        assertThat(found).isEqualTo(new TreeSet<>(LIMITED));
    }

    @Test
    void a_list_with_pages_has_a_limit_and_a_marker() {
        assertThat(lists())
                .filteredOn(operation -> response(operation).has("next"))
                // Clients of the event feed keep positions, which continue after the last page.
                .filteredOn(operation -> !operation.path().equals("/api/events"))
                .hasSizeGreaterThan(20)
                .allSatisfy(
                        operation ->
                                assertThat(operation.parameters("query"))
                                        .as("%s", operation)
                                        .extracting(parameter -> parameter.path("name").asString())
                                        .contains("limit", "marker"));
    }

    @Test
    void a_route_with_pages_returns_headers() {
        assertThat(mapping.getHandlerMethods().values())
                .extracting(HandlerMethod::getMethod)
                .filteredOn(route -> hasNext(route.getReturnType()))
                .isEmpty();
    }

    private static boolean hasNext(Class<?> response) {
        return response.isRecord()
                && Stream.of(response.getRecordComponents())
                        .anyMatch(component -> component.getName().equals("next"));
    }

    /** Returns the operations that answer with a list in a field. */
    private List<Operation> lists() {
        return document.ours().stream()
                .filter(operation -> operation.method().equals("GET"))
                .filter(
                        operation ->
                                response(operation)
                                        .valueStream()
                                        .anyMatch(field -> OpenApiDocument.isOf(field, "array")))
                .toList();
    }

    private JsonNode response(Operation operation) {
        return document.follow(
                        operation
                                .description()
                                .at("/responses/200/content/application~1json/schema"))
                .path("properties");
    }

    @ParameterizedTest
    @CsvSource({
        "/api/audit/heads, heads",
        "/api/audit/keys, keys",
        "/api/calendar/feeds, feeds",
        "/api/kinds, kinds",
        "/api/operations/read-models, read_models",
        "/api/operations/stuck, actions"
    })
    void pages_contain_each_item_once_in_order(String path, String field) {
        for (String name : List.of("one", "two", "three")) {
            client.send("admin", "POST", "/api/calendar/feeds", "{\"name\": \"" + name + "\"}");
            cloud.isStuck(stuck(name));
        }
        List<JsonNode> all = all(client.get("admin", path), field);

        List<JsonNode> listed = new ArrayList<>();
        for (Answer page : pages(path + "?limit=1")) {
            assertThat(page.json().path(field)).hasSize(1);
            listed.addAll(all(page, field));
        }

        assertThat(listed).hasSizeGreaterThan(1).isEqualTo(all).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({
        "/api/audit/heads",
        "/api/calendar/feeds",
        "/api/kinds",
        "/api/operations/default-leases",
        "/api/operations/drift",
        "/api/operations/read-models",
        "/api/operations/stuck"
    })
    void an_invalid_marker_is_rejected(String path) {
        Answer rejected = client.get("admin", path + "?marker=-");
        assertThat(rejected.status()).isEqualTo(400);
        assertThat(rejected.names("marker")).isTrue();
    }

    @Test
    void pages_of_the_drift_contain_each_difference_once() {
        ReservationId reservation = new ReservationId(new UUID(0, 1));
        LeaseId lease = new LeaseId(new UUID(0, 2));
        ResourceKind hosts = ResourceKind.PHYSICAL_HOST;
        ProjectId project = new ProjectId("p1");
        cloud.drifts(
                new Drift.Comparison(
                        List.of(new Drift.Leftover(hosts, reservation, List.of("host/node1"))),
                        List.of(new Drift.Missing(hosts, lease, reservation)),
                        List.of(
                                new Drift.Squatter(hosts, "2", "web", "node2", project, null),
                                new Drift.Squatter(hosts, "1", "web", "node2", project, null)),
                        List.of(
                                new Drift.Stray(hosts, new ResourceId(9), "node9", null),
                                new Drift.Stray(hosts, new ResourceId(10), "node10", null)),
                        List.of(new Drift.Orphan(new TrustId("t1"), new UserId("u1"), project)),
                        List.of(new Drift.Abandoned(lease, project, true)),
                        List.of(new Drift.Unseen(new ResourceKind("parking:space"), "away"))));
        String path = "/api/operations/drift";
        List<String> fields =
                List.of(
                        "leftovers",
                        "missing",
                        "squatters",
                        "strays",
                        "orphans",
                        "abandoned",
                        "unseen");

        List<JsonNode> listed = new ArrayList<>();
        for (Answer page : pages(path + "?limit=1")) {
            int before = listed.size();
            fields.forEach(field -> listed.addAll(all(page, field)));
            assertThat(listed).hasSize(before + 1);
        }

        Answer whole = client.get("admin", path);
        List<JsonNode> all = new ArrayList<>();
        fields.forEach(field -> all.addAll(all(whole, field)));
        assertThat(listed).hasSize(9).isEqualTo(all);
        assertThat(whole.json().at("/squatters/0/id").asString()).isEqualTo("1");
        assertThat(whole.json().at("/strays/0/resource_id").asLong()).isEqualTo(9);
        assertThat(whole.json().path("next").isNull()).isTrue();
    }

    @Test
    void heads_after_a_number_are_those_of_the_marker() {
        assertThat(client.get("auditor", "/api/audit/heads?after=1").json())
                .isEqualTo(client.get("auditor", "/api/audit/heads?marker=1").json());
    }

    /** Follows the links from a page to the last one. */
    private List<Answer> pages(String path) {
        List<Answer> pages = new ArrayList<>();
        String next = path;
        while (next != null) {
            Answer page = client.get("admin", next);
            assertThat(page.status()).as("%s", page).isEqualTo(200);
            pages.add(page);
            Matcher link = LINK.matcher(page.header("Link"));
            next = link.matches() ? link.group(1) : null;
            assertThat(page.json().path("next").isNull()).isEqualTo(next == null);
        }
        return pages;
    }

    private static List<JsonNode> all(Answer page, String field) {
        return page.json().path(field).valueStream().toList();
    }

    private static StuckAction stuck(String name) {
        return new StuckAction(
                new Target.Resource(
                        new ResourceId(1), ResourceKind.PHYSICAL_HOST, name, Change.ENROL),
                1,
                "no answer",
                ApiTestServer.NOW,
                null);
    }
}
