package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.OpenApiDocument.Operation;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Sends every operation of the API's description as every user: as each role, as a member of
 * another project, and without a login.
 */
public abstract class AuthorizationContract {

    private static final List<String> USERS =
            List.of("reader", "member", "stranger", "admin", "auditor", "planner", "biller");

    /** Users who see more than their project's leases, if they see leases at all. */
    private static final Set<String> ACROSS_PROJECTS =
            Set.of("admin", "auditor", "planner", "biller");

    private static final String EVERYBODY = "reader member admin auditor planner biller";

    /** The users of each operation; a stranger is a member, too. A missing operation fails. */
    private static final Map<String, String> WHO =
            Map.ofEntries(
                    Map.entry("GET /", EVERYBODY),
                    Map.entry("GET /versions", EVERYBODY),
                    Map.entry("GET /v1/plugins", EVERYBODY),
                    Map.entry("GET /v1/leases", EVERYBODY),
                    Map.entry("GET /v1/leases/{id}", EVERYBODY),
                    Map.entry("POST /v1/leases", "member admin"),
                    Map.entry("PUT /v1/leases/{id}", "member admin"),
                    Map.entry("DELETE /v1/leases/{id}", "member admin"),
                    Map.entry("GET /v1/os-hosts", "admin auditor planner"),
                    Map.entry("GET /v1/os-hosts/{id}", "admin auditor planner"),
                    Map.entry("POST /v1/os-hosts", "admin"),
                    Map.entry("PUT /v1/os-hosts/{id}", "admin"),
                    Map.entry("DELETE /v1/os-hosts/{id}", "admin"),
                    Map.entry("GET /v1/os-hosts/allocations", "admin planner"),
                    Map.entry("GET /v1/os-hosts/{id}/allocation", "admin planner"),
                    Map.entry("GET /v1/os-hosts/properties", "admin auditor planner"),
                    Map.entry("PATCH /v1/os-hosts/properties/{name}", "admin"),
                    Map.entry("GET /v1/floatingips", "reader member admin auditor planner"),
                    Map.entry("GET /v1/floatingips/{id}", "reader member admin auditor planner"),
                    Map.entry("POST /v1/floatingips", "admin"),
                    Map.entry("DELETE /v1/floatingips/{id}", "admin"),
                    Map.entry("GET /api/kinds", EVERYBODY),
                    Map.entry("GET /api/kinds/{kind}", EVERYBODY),
                    Map.entry("GET /api/me", EVERYBODY),
                    Map.entry("GET /api/leases", EVERYBODY),
                    Map.entry("GET /api/leases/{id}", EVERYBODY),
                    Map.entry("GET /api/leases/{id}/history", "reader member admin auditor biller"),
                    Map.entry("GET /api/leases/{id}/latest-end", EVERYBODY),
                    Map.entry("POST /api/leases", "member admin"),
                    Map.entry("POST /api/leases/dry-run", "member admin"),
                    Map.entry("PATCH /api/leases/{id}", "member admin"),
                    Map.entry("POST /api/leases/{id}/end", "member admin"),
                    Map.entry("DELETE /api/leases/{id}", "member admin"),
                    Map.entry("GET /api/availability", "reader member admin planner"),
                    Map.entry("POST /api/availability", "reader member admin planner"),
                    Map.entry("GET /api/resources", "reader member admin auditor planner"),
                    Map.entry("GET /api/resources/{id}", "reader member admin auditor planner"),
                    Map.entry("POST /api/resources", "admin"),
                    Map.entry("PATCH /api/resources/{id}", "admin"),
                    Map.entry("POST /api/resources/{id}/disable", "admin"),
                    Map.entry("POST /api/resources/{id}/enable", "admin"),
                    Map.entry("DELETE /api/resources/{id}", "admin"),
                    Map.entry("GET /api/resources/allocations", "admin planner"),
                    Map.entry("GET /api/properties", "reader member admin auditor planner"),
                    Map.entry("PATCH /api/properties/{kind}/{name}", "admin"),
                    Map.entry("GET /api/events", EVERYBODY),
                    Map.entry("GET /api/events/numbers", EVERYBODY),
                    Map.entry("GET /api/webhooks", "member admin"),
                    Map.entry("POST /api/webhooks", "member admin"),
                    Map.entry("GET /api/webhooks/{id}", "member admin"),
                    Map.entry("PATCH /api/webhooks/{id}", "member admin"),
                    Map.entry("DELETE /api/webhooks/{id}", "member admin"),
                    Map.entry("POST /api/webhooks/{id}/secret", "member admin"),
                    Map.entry("POST /api/webhooks/{id}/retry", "member admin"),
                    Map.entry("GET /api/webhooks/{id}/dead-letters", "member admin"),
                    Map.entry(
                            "POST /api/webhooks/{id}/dead-letters/{position}/retry",
                            "member admin"),
                    Map.entry("GET /api/calendar", "reader member admin auditor planner"),
                    Map.entry("GET /api/calendar/feeds", "reader member admin"),
                    Map.entry("POST /api/calendar/feeds", "reader member admin"),
                    Map.entry("DELETE /api/calendar/feeds/{id}", "reader member admin"),
                    Map.entry("GET /api/capacity", "admin auditor planner"),
                    Map.entry("GET /api/capacity/forecast", "admin auditor planner"),
                    Map.entry("POST /api/what-if", "admin auditor planner"),
                    Map.entry("GET /api/charges", "reader member admin auditor biller"),
                    Map.entry("GET /api/charges/focus", "reader member admin auditor biller"),
                    Map.entry("POST /api/quote", "member admin"),
                    Map.entry("GET /api/usage", "reader member admin auditor planner biller"),
                    Map.entry("GET /api/refusals", "reader member admin auditor planner"),
                    Map.entry("GET /api/usage/idle", "reader member admin auditor planner biller"),
                    Map.entry("GET /api/audit/calls", "admin auditor"),
                    Map.entry("GET /api/audit/denied", "admin auditor"),
                    Map.entry("GET /api/audit/erasures", "admin auditor"),
                    Map.entry("GET /api/audit/reads", "admin auditor"),
                    Map.entry("GET /api/audit/subscriptions", "admin auditor"),
                    Map.entry("DELETE /api/audit/origins", "admin"),
                    Map.entry("GET /api/audit/events", "admin auditor"),
                    Map.entry("GET /api/audit/events/{position}", "admin auditor"),
                    Map.entry("GET /api/audit/events/{position}/chain", "admin auditor"),
                    Map.entry("GET /api/audit/export", "admin auditor"),
                    Map.entry("GET /api/audit/heads", "admin auditor"),
                    Map.entry("GET /api/audit/keys", "admin auditor"),
                    Map.entry("GET /api/operations/stuck", "admin"),
                    Map.entry("GET /api/operations/drift", "admin"),
                    Map.entry("GET /api/operations/default-leases", "admin"),
                    Map.entry("POST /api/operations/leases/{id}/retry", "admin"),
                    Map.entry("POST /api/operations/resources/{id}/retry", "admin"),
                    Map.entry("POST /api/operations/leases/{id}/force-end", "admin"),
                    Map.entry("GET /api/operations/read-models", "admin"),
                    Map.entry("POST /api/operations/read-models/rebuild", "admin"),
                    Map.entry("POST /api/operations/read-models/{name}/rebuild", "admin"));

    /** Media types of responses besides JSON, for requests that accept them. */
    private static final Map<String, List<String>> FORMS =
            Map.of(
                    "GET /api/events", List.of("text/event-stream"),
                    "GET /api/audit/events", List.of("text/csv", "application/x-ndjson"),
                    "GET /api/audit/denied", List.of("text/csv", "application/x-ndjson"));

    protected abstract ApiUnderTest api();

    @TestFactory
    Stream<DynamicTest> everybody_may_do_what_is_theirs_and_nothing_else() {
        List<DynamicTest> tests = new ArrayList<>();
        OpenApiDocument document = OpenApiDocument.of(api());
        for (Operation operation : document.operations()) {
            for (String user : USERS) {
                tests.add(
                        dynamicTest(
                                user + ": " + operation,
                                () -> assertAsTheTableSays(document, user, operation)));
            }
        }
        return tests.stream();
    }

    /** Operations on a caller's own objects are tested above, for all users. */
    @TestFactory
    Stream<DynamicTest> what_another_project_has_made_does_not_exist() {
        OpenApiDocument document = OpenApiDocument.of(api());
        return document.operations().stream()
                .filter(AuthorizationContract::isOfWhatIsMade)
                .map(
                        operation ->
                                dynamicTest(
                                        operation.toString(),
                                        () ->
                                                assertIsVisibleToOwnProjectOnly(
                                                        document, operation)));
    }

    private static boolean isOfWhatIsMade(Operation operation) {
        return operation.path().matches("/api/(webhooks|calendar/feeds)/\\{id}.*");
    }

    private void assertIsVisibleToOwnProjectOnly(OpenApiDocument document, Operation operation) {
        ApiFixture fixture = ApiFixture.of(api(), document, "member");
        fixture.openFeedsAs("member");
        Answer strangers = ask(fixture, "stranger", operation);
        assertThat(strangers.status()).as(strangers.toString()).isEqualTo(404);
        assertThat(fixture.document.complaints(operation, strangers)).isEmpty();
        Answer members = ask(fixture, "member", operation);
        assertThat(ApiFixture.isValid(members)).as(members.toString()).isTrue();
    }

    private void assertAsTheTableSays(OpenApiDocument document, String user, Operation operation) {
        ApiFixture fixture = ApiFixture.of(api(), document, "member");
        // Each user has their own feeds and webhooks.
        fixture.openFeedsAs(user);
        long before = api().lastPosition();
        Answer answer = ask(fixture, user, operation);
        if (!isAllowed(user, operation)) {
            assertThat(answer.status()).as(answer.toString()).isEqualTo(403);
            assertThat(fixture.document.complaints(operation, answer)).isEmpty();
            assertThat(api().eventsOf(answer.requestId(), before)).as("its events").isZero();
        } else if (isOfOneLease(operation) && user.equals("stranger")) {
            assertThat(answer.status()).as(answer.toString()).isEqualTo(404);
            assertThat(fixture.document.complaints(operation, answer)).isEmpty();
            assertThat(api().eventsOf(answer.requestId(), before)).as("its events").isZero();
        } else {
            assertThat(ApiFixture.isValid(answer)).as(answer.toString()).isTrue();
        }
    }

    @TestFactory
    Stream<DynamicTest> every_operation_requires_a_valid_user() {
        OpenApiDocument document = OpenApiDocument.of(api());
        List<Operation> operations = document.operations();
        List<DynamicTest> tests = new ArrayList<>();
        for (Operation operation : operations) {
            tests.add(refusedStranger(document, "", operation));
            tests.add(refusedStranger(document, "impostor", operation));
        }
        // Once: the rejection of an unknown user costs a hash.
        tests.add(refusedStranger(document, "unknown", operations.getFirst()));
        return tests.stream();
    }

    private DynamicTest refusedStranger(
            OpenApiDocument document, String user, Operation operation) {
        return dynamicTest(
                (user.isEmpty() ? "nobody" : user) + ": " + operation,
                () -> {
                    ApiFixture fixture = ApiFixture.of(api(), document, "member");
                    long before = api().lastPosition();
                    Answer answer = ask(fixture, user, operation);
                    assertThat(answer.status()).as(answer.toString()).isEqualTo(401);
                    assertThat(fixture.document.complaints(operation, answer)).isEmpty();
                    assertThat(answer.header("WWW-Authenticate")).isNotEmpty();
                    assertThat(api().eventsOf(answer.requestId(), before))
                            .as("its events")
                            .isZero();
                });
    }

    @TestFactory
    Stream<DynamicTest> in_another_form_an_answer_is_for_the_same_people() {
        List<DynamicTest> tests = new ArrayList<>();
        FORMS.forEach(
                (operation, forms) -> {
                    for (String form : forms) {
                        for (String user : USERS) {
                            tests.add(
                                    asked(
                                            operation,
                                            form,
                                            user,
                                            isAllowed(user, operation) ? 200 : 403));
                        }
                        tests.add(asked(operation, form, "", 401));
                        tests.add(asked(operation, form, "impostor", 401));
                    }
                });
        return tests.stream();
    }

    private DynamicTest asked(String operation, String form, String user, int expected) {
        return dynamicTest(
                (user.isEmpty() ? "nobody" : user) + ": " + operation + " as " + form,
                () -> {
                    String path = operation.replaceFirst(".* ", "");
                    HttpResponse<?> answer = new ApiClient(api()).begin(user, path, form);
                    assertThat(answer.statusCode()).isEqualTo(expected);
                    assertThat(answer.headers().firstValue("Content-Type").orElse(""))
                            .startsWith(expected == 200 ? form : "application/problem+json");
                });
    }

    @TestFactory
    Stream<DynamicTest> leases_of_another_project_are_listed_for_those_who_look_across_projects() {
        return USERS.stream()
                .map(
                        user ->
                                dynamicTest(
                                        user,
                                        () -> {
                                            ApiFixture fixture = ApiFixture.of(api(), "stranger");
                                            assertThat(listed(fixture, user))
                                                    .isEqualTo(
                                                            user.equals("stranger")
                                                                    || ACROSS_PROJECTS.contains(
                                                                            user));
                                        }));
    }

    private static boolean listed(ApiFixture fixture, String user) {
        return fixture.client
                .get(user, "/api/leases?limit=1000")
                .json()
                .path("leases")
                .valueStream()
                .anyMatch(lease -> lease.path("id").asString().equals(fixture.leaseId()));
    }

    private Answer ask(ApiFixture fixture, String user, Operation operation) {
        return fixture.client.send(
                user,
                operation.method(),
                fixture.address(operation),
                operation.hasBody() ? fixture.body(operation).toString() : null);
    }

    private static boolean isAllowed(String user, Operation operation) {
        return isAllowed(user, operation.toString());
    }

    private static boolean isAllowed(String user, String operation) {
        String allowed = WHO.get(operation);
        assertThat(allowed).as("who may " + operation).isNotNull();
        return new TreeSet<>(Arrays.asList(allowed.split(" ")))
                .contains(user.equals("stranger") ? "member" : user);
    }

    private static boolean isOfOneLease(Operation operation) {
        return operation.path().matches("/(api|v1)/leases/\\{id}.*");
    }
}
