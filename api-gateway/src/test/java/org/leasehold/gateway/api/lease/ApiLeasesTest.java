package org.leasehold.gateway.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.CommandContext;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiFixture;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.gateway.api.FakeAvailability;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.api.lease.LeaseResponses.HistoryEvent;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.lease.Action;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.readmodel.lease.HistoryEntry;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.operation.Drift;
import org.leasehold.readmodel.operation.StuckActionQuery;
import org.leasehold.readmodel.operation.StuckActionQuery.StuckAction;
import org.leasehold.readmodel.operation.StuckActionQuery.Target;
import org.leasehold.readmodel.resource.Resources.Holding;
import org.leasehold.readmodel.resource.Resources.ResourceCalendar;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.TrustId;
import org.leasehold.vocabulary.UserId;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import tools.jackson.databind.JsonNode;

import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

@ApiTest
class ApiLeasesTest {

    private static final Instant START = Instant.parse("2026-11-22T08:00:00Z");
    private static final LeasePeriod PERIOD = new LeasePeriod(START, START.plusSeconds(7200));
    private static final LeaseId ID = LeaseId.of("00000000-0000-0000-0000-00000000000a");

    private static final String WISH =
            """
            {"name": "nightly-build", "start": "2026-11-22T09:00:00+01:00",
             "end": "2026-11-22T10:00:00Z", "reservations": [{"kind": "physical:host", "parameters":
               {"min": 1, "max": 2, "hypervisor_properties": "", "resource_properties": ""}}]}
            """;

    @Autowired InMemoryEngine engine;
    @Autowired FakeAvailability calendar;
    @LocalServerPort int port;

    private ApiClient client;

    @BeforeEach
    void the_engine_starts_empty() {
        engine.reset();
        client = new ApiClient(new InMemoryApi(port, engine));
    }

    private Answer create() {
        return client.send("member", "POST", "/api/leases", WISH);
    }

    @Test
    void a_created_lease_answers_with_location_etag_and_position() {
        Answer created = create();
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.header("Location"))
                .isEqualTo("/api/leases/" + created.json().path("id").asString());
        assertThat(created.header("ETag")).isEqualTo("\"1\"");
        assertThat(created.header("Leasehold-Position"))
                .isEqualTo(Long.toString(engine.position()));
        assertThat(created.json().path("status").asString()).isEqualTo("inactive");
        assertThat(created.json().path("start").asString()).isEqualTo("2026-11-22T08:00:00Z");
        Answer shown = client.get("reader", created.header("Location"));
        assertThat(shown.json()).isEqualTo(created.json());
        assertThat(shown.header("ETag")).isEqualTo("\"1\"");
    }

    @Test
    void a_response_includes_the_requested_position_or_answers_503() {
        String here = create().header("Leasehold-Position");
        assertThat(askAt(here).status()).isEqualTo(200);

        Answer behind = askAt(Long.toString(engine.position() + 1));
        assertThat(behind.status()).isEqualTo(503);
        assertThat(behind.isProblem()).isTrue();
        assertThat(behind.json().path("type").asString()).isEqualTo("/problems/behind");
        assertThat(behind.header("Retry-After")).isEqualTo("1");

        Answer nonsense = askAt("soon");
        assertThat(nonsense.status()).isEqualTo(400);
        assertThat(nonsense.names("Leasehold-Position")).isTrue();
    }

    private Answer askAt(String position) {
        return client.send(
                client.request("reader", "/api/leases")
                        .header("Leasehold-Position", position)
                        .GET());
    }

    @Test
    void a_lease_without_a_start_starts_now() {
        Answer created =
                client.send(
                        "member",
                        "POST",
                        "/api/leases",
                        "{\"name\": \"\", \"end\": \"2026-11-22T10:00:00Z\", \"reservations\":"
                                + " []}");
        assertThat(created.json().path("start").asString()).isEqualTo(ApiTestServer.NOW.toString());
        assertThat(created.json().path("status").asString()).isEqualTo("to_be_started");
    }

    @Test
    void optional_parameters_can_be_omitted() {
        for (String reservation :
                List.of(
                        "{\"kind\": \"physical:host\", \"parameters\": {\"min\": 1, \"max\": 1}}",
                        """
                        {"kind": "physical:host", "parameters":
                          {"min": 1.0, "max": 1e0}}
                        """,
                        """
                        {"kind": "flavor:instance", "parameters":
                          {"flavor_id": "small", "amount": 1, "affinity": null}}
                        """,
                        """
                        {"kind": "flavor:instance", "parameters":
                          {"flavor_id": "small", "amount": 1}}
                        """)) {
            Answer created = named("x", reservation);
            assertThat(created.status()).as(created.toString()).isEqualTo(201);
        }
    }

    @Test
    void the_length_of_a_name_is_counted_in_code_points() {
        Answer longest = named("\uD83D\uDE00".repeat(80), "");
        Answer tooLong = named("\uD83D\uDE00".repeat(81), "");

        assertThat(longest.status()).as(longest.toString()).isEqualTo(201);
        assertThat(tooLong.status()).as(tooLong.toString()).isEqualTo(400);
        assertThat(tooLong.names("name")).as(tooLong.toString()).isTrue();
    }

    private Answer named(String name, String reservation) {
        return client.send(
                "member",
                "POST",
                "/api/leases",
                "{\"name\": \"%s\", \"end\": \"2026-11-22T15:30:00+0530\", \"reservations\": [%s]}"
                        .formatted(name, reservation));
    }

    private static String ofFlavor(String parameters) {
        return """
        {"name": "small", "end": "2026-11-22T10:00:00Z",
         "reservations": [{"kind": "flavor:instance", "parameters": %s}]}
        """
                .formatted(parameters);
    }

    private Answer createOfFlavor(String user, String flavor) {
        String parameters =
                "{\"flavor_id\": \"%s\", \"amount\": 2, \"affinity\": \"none\"}".formatted(flavor);
        return client.send(user, "POST", "/api/leases", ofFlavor(parameters));
    }

    @Test
    void a_flavor_lease_includes_the_flavor_details_of_the_cloud() {
        JsonNode lease = createOfFlavor("member", "small").json();

        assertThat(lease.at("/reservations/0/parameters/flavor/name").asString())
                .isEqualTo("m1.small");
        assertThat(lease.at("/reservations/0/parameters/flavor_id").asString()).isEqualTo("small");
    }

    @Test
    void a_flavor_that_the_project_cannot_use_is_rejected() {
        for (String flavor : List.of("none", "private")) {
            Answer refused = createOfFlavor("member", flavor);

            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.names("reservations[0].parameters.flavor_id")).isTrue();
        }
    }

    @Test
    void an_unavailable_cloud_answers_503_with_retry_after() {
        Answer away = createOfFlavor("member", "away");

        assertThat(away.status()).isEqualTo(503);
        assertThat(away.isProblem()).isTrue();
        assertThat(away.header("Retry-After")).isEqualTo("1");
    }

    @Test
    void a_caller_cannot_set_the_values_of_a_flavor() {
        String mine =
                """
                {"flavor_id": "small", "amount": 2, "affinity": "none", "flavor": {"vcpus": 1}}
                """;
        Answer refused = client.send("member", "POST", "/api/leases", ofFlavor(mine));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.names("reservations[0].parameters.flavor")).isTrue();

        JsonNode lease = createOfFlavor("member", "small").json();
        Answer unchanged = change(lease, "\"flavor\": {\"vcpus\": 1}");
        assertThat(unchanged.status()).isEqualTo(400);
        assertThat(unchanged.names("reservations[0].parameters.flavor")).isTrue();
    }

    @Test
    void a_change_of_flavor_requires_an_existing_flavor() {
        JsonNode lease = createOfFlavor("member", "small").json();

        assertThat(
                        change(lease, "\"flavor_id\": \"large\"")
                                .json()
                                .at("/reservations/0/parameters/flavor/vcpus")
                                .asInt())
                .isEqualTo(8);
        Answer refused = change(lease, "\"flavor_id\": \"none\"");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.names("reservations[0].parameters.flavor_id")).isTrue();
    }

    private Answer change(JsonNode lease, String parameters) {
        return client.send(
                "member",
                "PATCH",
                "/api/leases/" + lease.path("id").asString(),
                "{\"reservations\": [{\"id\": \"%s\", \"parameters\": {%s}}]}"
                        .formatted(lease.at("/reservations/0/id").asString(), parameters));
    }

    @Test
    void the_availability_query_supports_flavors() {
        String question =
                """
                {"kind": "flavor:instance", "duration": "PT1H", "parameters":
                  {"flavor_id": "%s", "amount": 2, "affinity": "none"}}
                """;
        Answer known = ask(question.formatted("small"));
        assertThat(known.status()).as(known.toString()).isEqualTo(200);
        Answer refused = ask(question.formatted("private"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.names("parameters.flavor_id")).isTrue();
    }

    private Answer ask(String question) {
        return client.send("member", "POST", "/api/availability", question);
    }

    @Test
    void a_refusal_lists_shortages_with_the_next_start() {
        engine.refuseNext(shortage());
        Answer refused = create();
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.isProblem()).isTrue();
        assertThat(refused.header("Leasehold-Position")).isEqualTo("" + engine.position());
        JsonNode problem = refused.json();
        assertThat(problem.path("type").asString()).isEqualTo("/problems/not-enough-resources");
        assertThat(problem.path("request_id").asString())
                .isEqualTo(refused.header("X-OpenStack-Request-ID"));
        JsonNode shortfall = problem.path("shortages").path(0);
        assertThat(shortfall.path("kind").asString()).isEqualTo("physical:host");
        assertThat(shortfall.path("wanted").asInt()).isEqualTo(3);
        assertThat(shortfall.path("matching").asInt()).isEqualTo(2);
        assertThat(shortfall.path("missing").asInt()).isEqualTo(2);
        assertThat(shortfall.path("part_start").asString()).isEqualTo("2026-11-22T08:00:00Z");
        assertThat(shortfall.path("next_start").asString()).isEqualTo("2026-11-22T11:00:00Z");
        assertThat(problem.path("lease_id").asString()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/leases", "/api/leases/dry-run", "/api/quote"})
    void a_refusal_names_the_requested_kind(String path) {
        engine.refuseFirstOfNext(shortage());
        Answer refused =
                client.send(
                        "member",
                        "POST",
                        path,
                        """
                        {"name": "x", "start": "2026-11-22T08:00:00Z",
                         "end": "2026-11-22T10:00:00Z", "reservations": [
                          {"kind": "flavor:instance", "parameters":
                            {"flavor_id": "small", "amount": 3, "affinity": "none"}}]}
                        """);
        JsonNode shortfall = refused.json().at("/shortages/0");
        assertThat(shortfall.path("kind").asString(""))
                .as(refused.toString())
                .isEqualTo("flavor:instance");
        assertThat(refused.response().body()).doesNotContain("physical:host");
        if (path.equals("/api/leases")) {
            assertThat(refused.json().path("detail").asString(""))
                    .startsWith("3 of flavor:instance wanted, 2 match");
        }
    }

    private static Shortage shortage() {
        return new Shortage(
                new ReservationId(UUID.randomUUID()),
                ResourceKind.PHYSICAL_HOST,
                3,
                2,
                1,
                PERIOD,
                0,
                START.plus(Duration.ofHours(3)));
    }

    @Test
    void a_dry_run_returns_the_grants_and_stores_nothing() {
        long before = engine.position();
        Answer answer = client.send("member", "POST", "/api/leases/dry-run", WISH);
        assertThat(answer.json().path("accepted").asBoolean()).isTrue();
        assertThat(answer.json().at("/grants/0/resources/0/name").asString())
                .isEqualTo("compute-1");
        assertThat(engine.position()).isEqualTo(before);
        assertThat(client.get("member", "/api/leases").json().path("leases").isEmpty()).isTrue();
    }

    @Test
    void a_refused_dry_run_answers_200_with_the_shortages() {
        engine.refuseNext(shortage());
        Answer answer = client.send("member", "POST", "/api/leases/dry-run", WISH);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("accepted").asBoolean()).isFalse();
        assertThat(answer.json().at("/shortages/0/missing").asInt()).isEqualTo(2);
    }

    @Test
    void a_change_with_a_stale_etag_answers_412() {
        String lease = create().header("Location");
        assertThat(patch(lease, "\"1\"", "{\"name\": \"b\"}").status()).isEqualTo(200);
        Answer late = patch(lease, "\"1\"", "{\"name\": \"c\"}");
        assertThat(late.status()).isEqualTo(412);
        assertThat(late.isProblem()).isTrue();
        assertThat(late.json().path("detail").asString()).contains("its version is 2");
        assertThat(client.get("member", lease).json().path("name").asString()).isEqualTo("b");
        assertThat(patch(lease, "*", "{\"name\": \"d\"}").header("ETag")).isEqualTo("\"3\"");
    }

    @Test
    void an_if_match_header_without_the_current_tag_answers_412() {
        String lease = create().header("Location");
        for (String tag : List.of("1", "W/\"1\"", "\"one\"", "\"\"", "", "\"2\", \"3\"")) {
            assertThat(patch(lease, tag, "{\"name\": \"b\"}").status()).as(tag).isEqualTo(412);
        }
        assertThat(patch(lease, "\"9\", \"1\"", "{\"name\": \"b\"}").status()).isEqualTo(200);
    }

    private Answer patch(String lease, String tag, String body) {
        return client.send(
                client.request("member", lease)
                        .header("Content-Type", "application/json")
                        .header("If-Match", tag)
                        .method("PATCH", BodyPublishers.ofString(body)));
    }

    @Test
    void a_patch_command_contains_only_the_changed_fields() {
        String lease = create().header("Location");
        client.send("member", "PATCH", lease, "{\"end\": \"2026-11-22T12:00:00Z\"}");
        ChangeLease change = (ChangeLease) engine.lastCommand();
        assertThat(change.end()).isEqualTo(Instant.parse("2026-11-22T12:00:00Z"));
        assertThat(change.name()).isNull();
        assertThat(change.start()).isNull();
        assertThat(change.beforeEnd()).isNull();
        assertThat(change.reservations()).isEmpty();
    }

    @Test
    void a_patch_changes_and_adds_reservations() {
        String lease = create().header("Location");
        String id = client.get("member", lease).json().at("/reservations/0/id").asString();
        Answer changed =
                client.send(
                        "member",
                        "PATCH",
                        lease,
                        """
                        {"reservations": [{"id": "%s", "parameters": {"max": 2}}],
                         "further": [{"kind": "physical:host", "parameters": {"min": 3, "max": 4,
                           "hypervisor_properties": "", "resource_properties": ""}}]}
                        """
                                .formatted(id));
        assertThat(changed.status()).isEqualTo(200);
        ChangeLease change = (ChangeLease) engine.lastCommand();
        assertThat(change.reservations())
                .extracting(each -> each.id().toString())
                .containsExactly(id);
        assertThat(change.further())
                .singleElement()
                .satisfies(
                        wish -> {
                            assertThat(wish.kind()).isEqualTo(ResourceKind.PHYSICAL_HOST);
                            assertThat(wish.parameters()).containsEntry("min", 3);
                            assertThat(wish.id().toString()).isNotEqualTo(id);
                        });
        assertThat(changed.json().path("reservations").size()).isEqualTo(2);
    }

    @Test
    void a_patch_accepts_a_reservation_id_in_upper_case() {
        JsonNode lease = create().json();
        String id = lease.at("/reservations/0/id").asString();
        Answer changed =
                client.send(
                        "member",
                        "PATCH",
                        "/api/leases/" + lease.path("id").asString(),
                        "{\"reservations\": [{\"id\": \"%s\", \"parameters\": {\"max\": 5}}]}"
                                .formatted(id.toUpperCase(Locale.ROOT)));
        assertThat(changed.status()).as(changed.toString()).isEqualTo(200);
        assertThat(changed.json().at("/reservations/0/id").asString()).isEqualTo(id);
    }

    @Test
    void an_invalid_added_reservation_is_rejected_with_the_field_name() {
        String lease = create().header("Location");
        for (Map.Entry<String, String> wrong :
                Map.of(
                                "{}", "further[0].kind",
                                "{\"kind\": \"unheard:of\"}", "further[0].kind",
                                "{\"kind\": \"physical:host\", \"parameters\": {\"min\": \"x\"}}",
                                        "further[0].parameters.min")
                        .entrySet()) {
            Answer answer =
                    client.send(
                            "member",
                            "PATCH",
                            lease,
                            "{\"further\": [%s]}".formatted(wrong.getKey()));
            assertThat(answer.status()).as(wrong.getKey()).isEqualTo(400);
            assertThat(answer.names(wrong.getValue())).as(wrong.getKey()).isTrue();
        }
        assertThat(engine.lastCommand()).isInstanceOf(CreateLease.class);
    }

    @Test
    void an_empty_change_answers_400() {
        String lease = create().header("Location");
        assertThat(client.send("member", "PATCH", lease, "{}").status()).isEqualTo(400);
    }

    @Test
    void the_end_route_ends_a_lease_with_the_given_reason() {
        String lease = create().header("Location");
        Answer ended =
                client.send(
                        client.request("member", lease + "/end")
                                .header("Leasehold-Reason", "done early")
                                .POST(BodyPublishers.noBody()));
        assertThat(ended.json().path("status").asString()).isEqualTo("ended");
        assertThat(engine.lastCommand()).isInstanceOf(EndLease.class);
        assertThat(engine.lastContext().reason()).isEqualTo("done early");
    }

    @Test
    void a_deleted_lease_is_not_found() {
        String lease = create().header("Location");
        assertThat(client.send("member", "DELETE", lease, null).status()).isEqualTo(204);
        assertThat(client.get("member", lease).status()).isEqualTo(404);
    }

    @Test
    void a_repeated_request_has_the_same_idempotency_key() {
        CommandContext first = createUnderKey();
        CommandContext second = createUnderKey();
        assertThat(second.idempotency()).isNotNull().isEqualTo(first.idempotency());
    }

    private CommandContext createUnderKey() {
        client.send(
                client.request("member", "/api/leases")
                        .header("Content-Type", "application/json")
                        .header("Idempotency-Key", "k")
                        .POST(BodyPublishers.ofString(WISH)));
        return engine.lastContext();
    }

    @Test
    void the_next_links_lead_through_all_leases() {
        for (int i = 0; i < 3; i++) {
            create();
        }
        Answer first = client.get("member", "/api/leases?limit=2&status=inactive");
        assertThat(first.json().path("leases").size()).isEqualTo(2);
        String link = first.header("Link");
        assertThat(link).endsWith(">; rel=\"next\"");
        Answer last = client.get("member", link.substring(1, link.indexOf('>')));
        assertThat(last.json().path("leases").size()).isEqualTo(1);
        assertThat(last.header("Link")).isEmpty();
        assertThat(client.get("member", "/api/leases?status=active").json().path("leases").size())
                .isZero();
    }

    @Test
    void as_of_returns_a_lease_as_known_at_the_instant() {
        String lease = create().header("Location");
        long made = engine.position();
        client.send("member", "PATCH", lease, "{\"name\": \"renamed\"}");
        long renamed = engine.position();
        client.send("member", "DELETE", lease, null);
        long deleted = engine.position();

        Answer first = asOf("reader", lease, engine.storedAt(made));
        assertThat(first.json().path("name").asString()).isEqualTo("nightly-build");
        assertThat(first.header("ETag")).isEmpty();
        assertThat(first.header("Leasehold-Position")).isEqualTo(Long.toString(made));
        Answer second = asOf("reader", lease, engine.storedAt(deleted).minusMillis(1));
        assertThat(second.json().path("name").asString()).isEqualTo("renamed");
        assertThat(second.header("Leasehold-Position")).isEqualTo(Long.toString(renamed));
        assertThat(asOf("reader", lease, engine.storedAt(deleted)).status()).isEqualTo(404);
        assertThat(asOf("reader", lease, engine.storedAt(made).minusMillis(1)).status())
                .isEqualTo(404);
        assertThat(asOf("stranger", lease, engine.storedAt(made)).status()).isEqualTo(404);
    }

    private Answer asOf(String user, String address, Instant instant) {
        return client.get(user, address + "?as_of=" + instant);
    }

    @Test
    void as_of_rejects_future_instants_and_dates() {
        String lease = create().header("Location");
        for (String address : List.of(lease, lease + "/history")) {
            assertThat(asOf("reader", address, ApiTestServer.NOW).status()).isEqualTo(200);
            Answer future = asOf("reader", address, ApiTestServer.NOW.plusMillis(1));
            assertThat(future.status()).isEqualTo(400);
            assertThat(future.names("as_of")).isTrue();
            Answer day = client.get("reader", address + "?as_of=2026-11-20");
            assertThat(day.status()).isEqualTo(400);
            assertThat(day.names("as_of")).isTrue();
        }
    }

    @Test
    void a_list_as_of_an_instant_is_consistent_across_pages() {
        List<String> made = Stream.generate(this::createdId).limit(3).toList();
        Instant then = engine.storedAt(engine.position());
        String later = createdId();

        List<String> known = listed("reader", "/api/leases?limit=2&as_of=" + then);

        assertThat(known).containsAll(made).doesNotContain(later).doesNotHaveDuplicates();
        assertThat(listed("reader", "/api/leases?limit=2")).contains(later);
        assertThat(listed("stranger", "/api/leases?as_of=" + then))
                .doesNotContainAnyElementsOf(made);
        assertThat(client.get("reader", "/api/leases?marker=x&as_of=" + then).names("marker"))
                .isTrue();
        assertThat(asOf("reader", "/api/leases", ApiTestServer.NOW.plusMillis(1)).names("as_of"))
                .isTrue();
    }

    private String createdId() {
        return create().json().path("id").asString();
    }

    /** Returns the ids of all pages. */
    private List<String> listed(String user, String first) {
        List<String> ids = new ArrayList<>();
        String next = first;
        while (!next.isEmpty()) {
            Answer page = client.get(user, next);
            assertThat(page.status()).as(page.toString()).isEqualTo(200);
            page.json().path("leases").forEach(lease -> ids.add(lease.path("id").asString()));
            String link = page.header("Link");
            next = link.isEmpty() ? "" : link.substring(1, link.indexOf('>'));
        }
        return ids;
    }

    @Test
    void a_history_as_of_an_instant_has_the_events_recorded_until_then() {
        String lease = create().header("Location");
        Instant made = engine.storedAt(engine.position());
        assertThat(asOf("auditor", lease + "/history", made).json().path("events")).hasSize(1);
        assertThat(asOf("auditor", lease + "/history", made.minusMillis(1)).status())
                .isEqualTo(404);
    }

    @Test
    void a_history_event_includes_the_user_and_the_reason() {
        String lease = create().header("Location");
        JsonNode event = client.get("auditor", lease + "/history").json().at("/events/0");
        assertThat(event.path("type").asString()).isEqualTo("LeaseRequested");
        assertThat(event.path("user_id").asString()).isEqualTo("u-member");
        assertThat(event.path("reason").asString()).isEqualTo("because");
    }

    @Test
    void the_get_and_post_availability_queries_are_equivalent() {
        client.send(
                "reader",
                "POST",
                "/api/availability",
                """
                {"kind": "physical:host", "duration": "PT2H", "earliest": "2026-11-22T08:00:00Z",
                 "horizon": "2026-11-23T08:00:00Z", "limit": 3, "parameters": {"min": 2, "max": 2,
                   "hypervisor_properties": "", "resource_properties": "[\\"==\\", \\"$gpu\\", \\"V100\\"]"}}
                """);
        var asked = calendar.lastQuestion();
        Answer answer =
                client.get(
                        "reader",
                        "/api/availability?kind=physical:host&duration=PT2H&minimum=2&limit=3"
                                + "&earliest=2026-11-22T08:00:00Z&horizon=2026-11-23T08:00:00Z"
                                + "&requirement="
                                + ApiFixture.encoded("[\"==\", \"$gpu\", \"V100\"]"));
        assertThat(calendar.lastQuestion()).isEqualTo(asked);
        assertThat(answer.json().at("/openings/0/free").asInt()).isEqualTo(4);
        assertThat(answer.json().at("/openings/0/from").asString())
                .isEqualTo("2026-11-22T08:00:00Z");
    }

    @Test
    void disabling_a_host_returns_the_affected_leases() {
        long host = enrol();
        engine.hold(
                new ResourceCalendar(
                        new ResourceId(host),
                        "compute-1",
                        List.of(
                                new Holding(
                                        new ReservationId(UUID.randomUUID()),
                                        ID,
                                        new ProjectId("p1"),
                                        PERIOD))));
        Answer disabled =
                client.send(
                        "admin",
                        "POST",
                        "/api/resources/" + host + "/disable",
                        "{\"reason\": \"new memory\"}");
        assertThat(disabled.json().at("/affected_leases/0").asString()).isEqualTo(ID.toString());
        assertThat(disabled.json().at("/resource/disabled_reason").asString())
                .isEqualTo("new memory");
        Answer enabled = client.send("admin", "POST", "/api/resources/" + host + "/enable", null);
        assertThat(enabled.json().path("reservable").asBoolean()).isTrue();
    }

    private long enrol() {
        return client.send(
                        "admin",
                        "POST",
                        "/api/resources",
                        "{\"kind\": \"physical:host\", \"name\": \"compute-1\","
                                + " \"capabilities\": {\"gpuModel\": \"V100\"}}")
                .json()
                .path("id")
                .asLong();
    }

    @Test
    void the_name_of_a_capability_keeps_the_letter_case() {
        enrol();
        assertThat(
                        client.get("admin", "/api/resources")
                                .json()
                                .at("/resources/0/capabilities/gpuModel")
                                .asString())
                .isEqualTo("V100");
    }

    @Test
    void a_hidden_property_is_shown_to_administrators_only() {
        enrol();
        client.send(
                "admin", "PATCH", "/api/properties/physical:host/gpuModel", "{\"hidden\": true}");
        String list = "/api/properties?kind=physical:host";
        assertThat(client.get("planner", list).json().path("properties").size()).isZero();
        assertThat(client.get("admin", list).json().path("properties").size()).isOne();
    }

    @Test
    void a_filter_with_an_unknown_name_is_refused_with_a_suggestion() {
        enrol();

        Answer refused = openings("member", "gpuModle");

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.names("requirement")).as(refused.toString()).isTrue();
        assertThat(refused.json().path("detail").asString())
                .contains("no host has a property gpuModle; did you mean gpuModel?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[\"==\", \"$vcpus\", 7]",
                "[\"in\", \"$vcpus\", [\"7\", 7]]",
                "[\"and\", [\"==\", \"$vcpus\", 7.5]]",
                "\"[\\\"==\\\", \\\"$vcpus\\\", 7]\""
            })
    void a_filter_with_a_number_is_rejected_with_the_field_name(String filter) {
        Answer refused =
                named(
                        "x",
                        """
                        {"kind": "physical:host", "parameters":
                          {"min": 1, "max": 1, "resource_properties": %s}}
                        """
                                .formatted(filter));

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.names("reservations[0].parameters.resource_properties"))
                .as(refused.toString())
                .isTrue();
    }

    @Test
    void a_filter_accepts_visible_properties_and_resource_fields() {
        enrol();

        for (String name :
                List.of("gpuModel", "zone", "region", "id", "name", "kind", "free_vcpus")) {
            Answer found = openings("member", name);
            assertThat(found.status()).as(found.toString()).isEqualTo(200);
        }
    }

    @Test
    void a_filter_treats_a_hidden_property_like_an_unknown_property() {
        enrol();
        client.send(
                "admin", "PATCH", "/api/properties/physical:host/gpuModel", "{\"hidden\": true}");

        for (String user : List.of("member", "planner")) {
            for (String prefix : List.of("", "free_", "capabilities:", "capabilities:free_")) {
                Answer hidden = openings(user, prefix + "gpuModel");
                Answer unknown = openings(user, prefix + "gpuWheel");
                assertThat(hidden.status()).as(hidden.toString()).isEqualTo(400);
                assertThat(hidden.json().path("detail").asString())
                        .isEqualTo(
                                unknown.json()
                                        .path("detail")
                                        .asString()
                                        .replace("gpuWheel", "gpuModel"));
            }
        }
        assertThat(openings("admin", "gpuModel").status()).isEqualTo(200);
    }

    @Test
    void every_lease_request_rejects_a_hidden_property_as_unknown() {
        enrol();
        String lease = create().header("Location");
        client.send(
                "admin", "PATCH", "/api/properties/physical:host/gpuModel", "{\"hidden\": true}");
        String reservation = client.get("member", lease).json().at("/reservations/0/id").asString();
        String filter = "[\"==\", \"$gpuModel\", \"V100\"]";
        String parameters =
                "{\"min\": 1, \"max\": 1, \"hypervisor_properties\": \"\","
                        + " \"resource_properties\": %s}".formatted(filter);
        String wish =
                """
                {"name": "x", "end": "2026-11-23T00:00:00Z", "reservations":
                  [{"kind": "physical:host", "parameters": %s}]}
                """
                        .formatted(parameters);

        Map<String, Answer> answers =
                Map.of(
                        "create", client.send("member", "POST", "/api/leases", wish),
                        "dry-run", client.send("member", "POST", "/api/leases/dry-run", wish),
                        "quote", client.send("member", "POST", "/api/quote", wish),
                        "availability",
                                client.send(
                                        "member",
                                        "POST",
                                        "/api/availability",
                                        """
                                        {"kind": "physical:host", "duration": "PT1H",
                                         "parameters": %s}
                                        """
                                                .formatted(parameters)),
                        "change",
                                client.send(
                                        "member",
                                        "PATCH",
                                        lease,
                                        """
                                        {"reservations": [{"id": "%s", "parameters":
                                          {"resource_properties": %s}}]}
                                        """
                                                .formatted(reservation, filter)));

        answers.forEach(
                (what, answer) -> {
                    assertThat(answer.status()).as(what + " " + answer).isEqualTo(400);
                    assertThat(answer.response().body())
                            .as(what)
                            .contains("no host has a property gpuModel");
                });
    }

    private Answer openings(String user, String property) {
        return client.get(
                user,
                "/api/availability?kind=physical:host&duration=PT2H&requirement="
                        + ApiFixture.encoded("[\"==\", \"$" + property + "\", \"V100\"]"));
    }

    @Test
    void only_administrators_see_a_hidden_property_of_a_resource() {
        long host = enrol();
        client.send(
                "admin", "PATCH", "/api/properties/physical:host/gpuModel", "{\"hidden\": true}");
        for (String path :
                List.of(
                        "/api/resources",
                        "/api/resources/" + host,
                        "/v1/os-hosts",
                        "/v1/os-hosts/" + host)) {
            assertThat(client.get("admin", path).response().body()).contains("gpuModel");
            assertThat(client.get("planner", path).response().body()).doesNotContain("gpuModel");
            assertThat(client.get("auditor", path).response().body()).doesNotContain("gpuModel");
        }
    }

    @Test
    void a_history_hides_the_properties_of_resources_from_projects() {
        var entry =
                new HistoryEntry(
                        2,
                        1,
                        START,
                        "ReservationGranted",
                        "u",
                        "p",
                        List.of("member"),
                        "req-1",
                        null,
                        null,
                        Map.of(
                                "properties",
                                "of no resource",
                                "allocations",
                                List.of(
                                        Map.of(
                                                "resource",
                                                7,
                                                "name",
                                                "compute-7",
                                                "properties",
                                                Map.of("secret", "x")))));
        assertThat(HistoryEvent.of(entry, true, told -> told).details()).isEqualTo(entry.details());
        assertThat(HistoryEvent.of(entry, false, told -> told).details())
                .isEqualTo(
                        Map.of(
                                "properties",
                                "of no resource",
                                "allocations",
                                List.of(Map.of("resource", 7, "name", "compute-7"))));
    }

    @Test
    void a_history_masks_secret_parameters() {
        var entry =
                new HistoryEntry(
                        2,
                        1,
                        START,
                        "LeaseRequested",
                        "u",
                        "p",
                        List.of("member"),
                        "req-1",
                        null,
                        null,
                        Map.of(
                                "reservations",
                                List.of(Map.of("kind", "k", "parameters", Map.of("key", "x")))));

        assertThat(HistoryEvent.of(entry, true, _ -> Map.of("key", "***")).details())
                .isEqualTo(
                        Map.of(
                                "reservations",
                                List.of(Map.of("kind", "k", "parameters", Map.of("key", "***")))));
    }

    @Test
    void enrolling_a_host_unknown_to_the_cloud_answers_404() {
        Answer answer =
                client.send(
                        "admin",
                        "POST",
                        "/api/resources",
                        "{\"kind\": \"physical:host\", \"name\": \"nowhere\"}");
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.names("name")).isTrue();
    }

    @Test
    void a_stuck_lease_shows_the_last_fault_and_can_be_retried() {
        String lease = create().json().path("id").asString();
        calendar.isStuck(
                new StuckAction(
                        new Target.Reservation(
                                LeaseId.of(lease),
                                new ReservationId(UUID.randomUUID()),
                                Action.START),
                        3,
                        "no answer",
                        START,
                        null));
        JsonNode stuck = client.get("admin", "/api/operations/stuck").json().at("/actions/0");
        assertThat(stuck.path("last_fault").asString()).isEqualTo("no answer");
        assertThat(stuck.path("action").asString()).isEqualTo("start");
        assertThat(stuck.path("next_attempt").isNull()).isTrue();
        Answer retried =
                client.send("admin", "POST", "/api/operations/leases/" + lease + "/retry", null);
        assertThat(retried.status()).isEqualTo(204);
        assertThat(engine.lastCommand()).isEqualTo(new RetryLease(LeaseId.of(lease)));
    }

    /** Creates a lease whose start failed in all attempts so far; returns its id. */
    private String stuckStart(int attempts, String fault) {
        String lease = create().json().path("id").asString();
        calendar.isStuck(
                new StuckAction(
                        new Target.Reservation(
                                LeaseId.of(lease),
                                new ReservationId(UUID.randomUUID()),
                                Action.START),
                        attempts,
                        fault,
                        START,
                        START.plusSeconds(50)));
        engine.alter(LeaseId.of(lease), ApiLeasesTest::starting);
        return lease;
    }

    @Test
    void the_explanation_of_a_lease_hides_servers_of_other_projects() {
        String lease =
                stuckStart(1, "On the host compute-1 is still a number of servers: 1\nsecret-of-b");

        JsonNode shown = client.get("member", "/api/leases/" + lease).json();
        assertThat(shown.path("explanation").asString()).endsWith("a number of servers: 1");
        assertThat(shown.toString()).doesNotContain("secret-of-b");
        assertThat(client.get("member", "/api/leases").json().toString())
                .doesNotContain("secret-of-b");
        assertThat(client.get("admin", "/api/operations/stuck").json().toString())
                .contains("secret-of-b");
    }

    @Test
    void a_retry_of_a_starting_lease_answers_202() {
        String lease = stuckStart(3, "no answer");
        String why = "The cloud has not done its part of the start yet, after 3 tries: no answer";
        assertThat(
                        client.get("member", "/api/leases/" + lease)
                                .json()
                                .path("explanation")
                                .asString())
                .isEqualTo(why);
        assertThat(
                        client.get("member", "/api/leases")
                                .json()
                                .path("leases")
                                .valueStream()
                                .filter(one -> one.path("id").asString().equals(lease))
                                .map(one -> one.path("explanation").asString()))
                .containsExactly(why);

        engine.rejectNext(new LeaseRejection.WrongStatus("starting", "retry"));
        Answer retried =
                client.send("admin", "POST", "/api/operations/leases/" + lease + "/retry", null);

        assertThat(retried.status()).isEqualTo(202);
        // The action of another reservation may have failed for good.
        assertThat(engine.lastCommand()).isInstanceOf(RetryLease.class);
        assertThat(
                        client.send(
                                        "admin",
                                        "POST",
                                        "/api/operations/leases/" + lease + "/retry",
                                        null)
                                .status())
                .isEqualTo(204);
    }

    @Test
    void a_starting_or_ending_lease_without_a_failed_attempt_is_explained() {
        String lease = create().json().path("id").asString();
        assertThat(client.get("member", "/api/leases/" + lease).json().path("explanation").isNull())
                .isTrue();

        Map.of(
                        LeaseStatus.STARTING, "start",
                        LeaseStatus.ENDING, "end",
                        LeaseStatus.DELETING, "end")
                .forEach(
                        (status, action) -> {
                            engine.alter(LeaseId.of(lease), view -> withStatus(view, status));
                            assertThat(
                                            client.get("member", "/api/leases/" + lease)
                                                    .json()
                                                    .path("explanation")
                                                    .asString())
                                    .isEqualTo(
                                            "The cloud has not done its part of the %s yet.",
                                            action);
                        });
    }

    private static LeaseView starting(LeaseView lease) {
        return withStatus(lease, LeaseStatus.STARTING);
    }

    private static LeaseView withStatus(LeaseView lease, LeaseStatus status) {
        return new LeaseView(
                lease.id(),
                lease.projectId(),
                lease.userId(),
                lease.name(),
                status,
                lease.period(),
                lease.beforeEnd(),
                null,
                lease.reservations(),
                lease.scheduledEvents(),
                lease.createdAt(),
                lease.updatedAt(),
                lease.version());
    }

    @Test
    void the_drift_report_is_for_administrators_only() {
        ReservationId left = new ReservationId(UUID.randomUUID());
        ReservationId lost = new ReservationId(UUID.randomUUID());
        LeaseId lease = new LeaseId(UUID.randomUUID());
        calendar.drifts(
                new Drift.Comparison(
                        List.of(
                                new Drift.Leftover(
                                        ResourceKind.PHYSICAL_HOST, left, List.of("host/node1"))),
                        List.of(new Drift.Missing(ResourceKind.PHYSICAL_HOST, lease, lost)),
                        List.of(
                                new Drift.Squatter(
                                        ResourceKind.PHYSICAL_HOST,
                                        "42",
                                        "web",
                                        "node2",
                                        new ProjectId("p-else"),
                                        null)),
                        List.of(
                                new Drift.Stray(
                                        ResourceKind.PHYSICAL_HOST,
                                        new ResourceId(7),
                                        "node7",
                                        lost)),
                        List.of(
                                new Drift.Orphan(
                                        new TrustId("trust-1"),
                                        new UserId("u1"),
                                        new ProjectId("p1"))),
                        List.of(new Drift.Abandoned(lease, new ProjectId("p-gone"), true)),
                        List.of(new Drift.Unseen(new ResourceKind("parking:space"), "no answer"))));

        JsonNode drift = client.get("admin", "/api/operations/drift").json();

        assertThat(drift.at("/leftovers/0/reservation_id").asString()).isEqualTo(left.toString());
        assertThat(drift.at("/leftovers/0/things/0").asString()).isEqualTo("host/node1");
        assertThat(drift.at("/missing/0/lease_id").asString()).isEqualTo(lease.toString());
        assertThat(drift.at("/missing/0/kind").asString()).isEqualTo("physical:host");
        JsonNode squatter = drift.at("/squatters/0");
        assertThat(squatter.path("id").asString()).isEqualTo("42");
        assertThat(squatter.path("name").asString()).isEqualTo("web");
        assertThat(squatter.path("resource").asString()).isEqualTo("node2");
        assertThat(squatter.path("project_id").asString()).isEqualTo("p-else");
        assertThat(squatter.path("reservation_id").isNull()).isTrue();
        assertThat(drift.at("/strays/0").toString())
                .isEqualTo(
                        "{\"kind\":\"physical:host\",\"resource_id\":7,\"name\":\"node7\","
                                + "\"reservation_id\":\"%s\"}".formatted(lost));
        assertThat(drift.at("/orphans/0").toString())
                .isEqualTo("{\"trust_id\":\"trust-1\",\"user_id\":\"u1\",\"project_id\":\"p1\"}");
        assertThat(drift.at("/abandoned/0").toString())
                .isEqualTo(
                        "{\"lease_id\":\"%s\",\"project_id\":\"p-gone\",\"deleted\":true}"
                                .formatted(lease));
        assertThat(drift.at("/unseen/0/why").asString()).isEqualTo("no answer");
        assertThat(client.get("member", "/api/operations/drift").status()).isEqualTo(403);
    }

    @Test
    void a_stuck_resource_is_listed_and_can_be_retried() {
        long host = enrol();
        String retry = "/api/operations/resources/%d/retry";
        calendar.isStuck(
                new StuckAction(
                        new Target.Resource(
                                new ResourceId(host),
                                ResourceKind.PHYSICAL_HOST,
                                "compute-1",
                                StuckActionQuery.Change.RETIRE),
                        3,
                        "no answer",
                        START,
                        START));
        JsonNode stuck =
                client.get("admin", "/api/operations/stuck")
                        .json()
                        .path("actions")
                        .valueStream()
                        .filter(action -> action.path("resource_id").asLong() == host)
                        .findFirst()
                        .orElseThrow();
        assertThat(stuck.path("action").asString()).isEqualTo("retire");
        assertThat(stuck.path("name").asString()).isEqualTo("compute-1");
        assertThat(stuck.path("lease_id").isNull()).isTrue();
        assertThat(client.send("admin", "POST", retry.formatted(host), null).status())
                .isEqualTo(204);
        assertThat(client.send("admin", "POST", retry.formatted(host), null).status())
                .isEqualTo(409);
        assertThat(client.send("admin", "POST", retry.formatted(4711), null).status())
                .isEqualTo(404);
    }

    record Case(LeaseRejection rejection, int status, String type) {}

    static Stream<Case> rejections() {
        return Stream.of(
                new Case(new LeaseRejection.LeaseNotFound(ID), 404, "not-found"),
                new Case(new LeaseRejection.LeaseExists(ID), 409, "lease-exists"),
                new Case(new LeaseRejection.VersionMismatch(ID, 7), 412, "precondition-failed"),
                new Case(new LeaseRejection.InvalidName(81, 80), 400, "invalid-name"),
                new Case(new LeaseRejection.StartInPast(START, START), 400, "start-in-past"),
                new Case(
                        new LeaseRejection.EndNotAfterStart(START, START),
                        400,
                        "end-not-after-start"),
                new Case(new LeaseRejection.EndInPast(START, START), 400, "end-in-past"),
                new Case(
                        new LeaseRejection.BeforeEndOutside(START, PERIOD),
                        400,
                        "before-end-outside"),
                new Case(new LeaseRejection.StartAlreadyHappened(START), 409, "already-started"),
                new Case(new LeaseRejection.LeaseOver(START), 409, "lease-over"),
                new Case(new LeaseRejection.WrongStatus("Ended", "end"), 409, "wrong-status"),
                new Case(new LeaseRejection.TooManyLeases(10_000), 429, "too-many-leases"),
                new Case(new LeaseRejection.TooManyReservations(100), 400, "too-many-reservations"),
                new Case(
                        new LeaseRejection.UnknownReservations(List.of("a")),
                        400,
                        "unknown-reservations"),
                new Case(
                        new LeaseRejection.UnknownKind(ResourceKind.PHYSICAL_HOST),
                        400,
                        "unknown-kind"),
                new Case(
                        new LeaseRejection.KindIsFixed(new ReservationId(ID.value())),
                        400,
                        "kind-is-fixed"),
                new Case(
                        new LeaseRejection.InvalidReservation(0, "min", "is bad"),
                        400,
                        "invalid-reservation"),
                new Case(
                        new LeaseRejection.NotFree(new ReservationId(ID.value()), "is taken"),
                        409,
                        "not-free"),
                new Case(
                        new LeaseRejection.IdempotencyKeyReused("k"),
                        422,
                        "idempotency-key-reused"));
    }

    @ParameterizedTest
    @MethodSource("rejections")
    void every_lease_rejection_has_a_status_and_a_problem_type(Case expected) {
        engine.rejectNext(expected.rejection());
        Answer answer = create();
        assertThat(answer.status()).isEqualTo(expected.status());
        assertThat(answer.isProblem()).isTrue();
        assertThat(answer.json().path("type").asString()).isEqualTo("/problems/" + expected.type());
    }

    @Test
    void a_project_at_the_lease_limit_gets_429_with_retry_after() {
        engine.rejectNext(new LeaseRejection.TooManyLeases(10_000));

        Answer answer = create();

        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.header("Retry-After")).isEqualTo("60");
        assertThat(answer.json().path("detail").asString())
                .isEqualTo("The project has 10000 unfinished leases, as many as it may have.");
    }

    @Test
    void the_test_cases_cover_every_lease_rejection() {
        assertThat(rejections().map(c -> c.rejection().getClass()).distinct().count())
                .isEqualTo(LeaseRejection.class.getPermittedSubclasses().length);
    }

    record ResourceCase(ResourceRejection rejection, int status, String type) {}

    static Stream<ResourceCase> resourceRejections() {
        ResourceId id = new ResourceId(1);
        return Stream.of(
                new ResourceCase(new ResourceRejection.ResourceNotFound(id), 404, "not-found"),
                new ResourceCase(
                        new ResourceRejection.AlreadyEnrolled(ResourceKind.PHYSICAL_HOST, "x"),
                        409,
                        "already-enrolled"),
                new ResourceCase(
                        new ResourceRejection.PropertiesReliedOn(id, Set.of("gpu"), List.of(ID)),
                        409,
                        "properties-relied-on"),
                new ResourceCase(
                        new ResourceRejection.ResourceReserved(id, List.of(ID)),
                        409,
                        "resource-reserved"),
                new ResourceCase(
                        new ResourceRejection.InvalidCapability("a", "is bad"),
                        400,
                        "invalid-capability"),
                new ResourceCase(
                        new ResourceRejection.WrongState(id, "disabled", "be disabled"),
                        409,
                        "wrong-state"),
                new ResourceCase(
                        new ResourceRejection.IdempotencyKeyReused("k"),
                        422,
                        "idempotency-key-reused"));
    }

    @ParameterizedTest
    @MethodSource("resourceRejections")
    void every_resource_rejection_has_a_status_and_a_problem_type(ResourceCase expected) {
        long host = enrol();
        engine.rejectNext(expected.rejection());
        Answer answer =
                client.send(
                        "admin", "PATCH", "/api/resources/" + host, "{\"set\": {\"a\": \"b\"}}");
        assertThat(answer.status()).isEqualTo(expected.status());
        assertThat(answer.isProblem()).isTrue();
        assertThat(answer.json().path("type").asString()).isEqualTo("/problems/" + expected.type());
    }

    @Test
    void the_test_cases_cover_every_resource_rejection() {
        assertThat(resourceRejections().map(c -> c.rejection().getClass()).distinct().count())
                .isEqualTo(ResourceRejection.class.getPermittedSubclasses().length);
    }
}
