package org.leasehold.gateway.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.calendar.Shortage;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.CreateLease.Retry;
import org.leasehold.lease.LeaseRejection.InvalidRetry;
import org.leasehold.lease.StartFailurePolicy;
import org.leasehold.readmodel.lease.LeaseRetries;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.vocabulary.LeaseId;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.List;

/** Tests the retries of requests that the calendar cannot hold. */
@ApiTest
class RetriedLeasesTest extends ApiLeasesFixture {

    private Answer create(String more) {
        return client.send(
                "member",
                "POST",
                "/api/leases",
                WISH.strip().replaceFirst("}$", ", " + more + "}"));
    }

    private @Nullable Retry requested() {
        return ((CreateLease) engine.lastCommand()).retry();
    }

    @Test
    void the_requested_retries_reach_the_engine() {
        Answer created =
                create(
                        """
                        "if_unavailable": "retry", "retry": {"attempts": 3, "interval_seconds": 60}\
                        """);

        assertThat(created.status()).as(created.toString()).isEqualTo(201);
        assertThat(requested()).isEqualTo(new Retry(3, Duration.ofMinutes(1)));
    }

    @Test
    void retries_without_numbers_have_those_of_the_operator() {
        create("\"if_unavailable\": \"retry\"");
        assertThat(requested()).isEqualTo(new Retry(null, null));

        create("\"if_unavailable\": \"retry\", \"retry\": {}");
        assertThat(requested()).isEqualTo(new Retry(null, null));
    }

    @Test
    void a_request_is_refused_at_once_by_default() {
        create("\"if_unavailable\": \"refuse\"");
        assertThat(requested()).isNull();

        create();
        assertThat(requested()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"if_unavailable\": \"hunt\" | if_unavailable | must be one of [refuse, retry]",
                "\"if_unavailable\": \"RETRY\" | if_unavailable | must be one of [refuse, retry]",
                "\"if_unavailable\": 1 | if_unavailable | must be one of [refuse, retry]",
                "\"on_failure\": \"end\" | on_failure | must be one of [keep, release]",
                "\"on_failure\": 1 | on_failure | must be one of [keep, release]",
                "\"retry\": {} | retry | is only possible with if_unavailable: retry",
                "\"if_unavailable\": \"refuse\", \"retry\": {\"attempts\": 1} | retry"
                        + " | is only possible with if_unavailable: retry",
                "\"if_unavailable\": \"retry\", \"retry\": {\"attempts\": 0} | retry.attempts"
                        + " | must be greater than or equal to 1",
                "\"if_unavailable\": \"retry\", \"retry\": {\"attempts\": 1001} | retry.attempts"
                        + " | must be less than or equal to 1000",
                "\"if_unavailable\": \"retry\", \"retry\": {\"interval_seconds\": 0}"
                        + " | retry.interval_seconds | must be greater than or equal to 1",
                "\"if_unavailable\": \"retry\", \"retry\": {\"interval_seconds\": \"1m\"}"
                        + " | retry.interval_seconds | must be a whole number within its bounds",
            })
    void invalid_retries_and_policies_are_named(String more, String field, String message) {
        long before = engine.position();

        Answer answer = create(more);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.json().at("/errors/0/field").asString()).isEqualTo(field);
        assertThat(answer.json().at("/errors/0/message").asString()).isEqualTo(message);
        assertThat(engine.position()).isEqualTo(before);
    }

    @Test
    void the_policy_for_a_failed_start_reaches_the_engine() {
        create("\"on_failure\": \"release\"");
        assertThat(requestedPolicy()).isEqualTo(StartFailurePolicy.RELEASE);

        create("\"on_failure\": \"keep\"");
        assertThat(requestedPolicy()).isEqualTo(StartFailurePolicy.KEEP);

        create();
        assertThat(requestedPolicy()).isNull();
    }

    private @Nullable StartFailurePolicy requestedPolicy() {
        return ((CreateLease) engine.lastCommand()).onFailure();
    }

    @Test
    void a_retried_lease_shows_the_attempts_and_the_next_one() {
        JsonNode lease = create().json();
        String id = lease.path("id").asString();
        engine.alter(LeaseId.of(id), RetriedLeasesTest::retried);

        JsonNode shown = client.get("member", "/api/leases/" + id).json();
        assertThat(shown.path("status").asString()).isEqualTo("retrying");
        assertThat(shown.path("next_attempt_at").asString()).isEqualTo("2026-11-22T08:05:00Z");
        assertThat(shown.path("attempts")).hasSize(1);
        assertThat(shown.at("/attempts/0/at").asString()).isEqualTo("2026-11-22T08:00:00Z");
        assertThat(shown.at("/attempts/0/reasons/0").toString())
                .isEqualTo(
                        """
                        {"reservation_id":"%s","kind":"physical:host","wanted":3,"matching":2,\
                        "free":1,"missing":2,"start":"2026-11-22T08:00:00Z",\
                        "end":"2026-11-22T10:00:00Z","free_in_part":0}\
                        """
                                .formatted(lease.at("/reservations/0/id").asString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/leases/dry-run", "/api/quote"})
    void a_rehearsal_checks_the_retries_and_does_not_make_them(String address) {
        String wish =
                WISH.strip().replaceFirst("}$", ", \"if_unavailable\": \"retry\", \"retry\": {}}");
        engine.rejectNext(new InvalidRetry(InvalidRetry.Part.INTERVAL, 30));

        Answer rejected = client.send("member", "POST", address, wish);

        assertThat(rejected.status()).as(rejected.toString()).isEqualTo(400);
        assertThat(rejected.json().at("/errors/0/field").asString())
                .isEqualTo("retry.interval_seconds");
        assertThat(client.send("member", "POST", address, wish).status()).isEqualTo(200);
    }

    @Test
    void a_lease_that_was_granted_at_once_has_no_attempts() {
        JsonNode lease = create().json();
        assertThat(lease.path("attempts").isEmpty()).isTrue();
        assertThat(lease.path("next_attempt_at").isNull()).isTrue();
    }

    @Test
    void blazars_clients_see_a_retried_lease_as_one_that_is_created() {
        String id = create().json().path("id").asString();
        engine.alter(LeaseId.of(id), RetriedLeasesTest::retried);

        JsonNode lease = client.get("member", "/v1/leases/" + id).json().path("lease");
        assertThat(lease.path("status").asString()).isEqualTo("CREATING");
        assertThat(lease.at("/reservations/0/status").asString()).isEqualTo("pending");
        assertThat(lease.has("attempts")).isFalse();
        assertThat(lease.has("next_attempt_at")).isFalse();
    }

    private static LeaseView retried(LeaseView lease) {
        Shortage shortage =
                new Shortage(
                        lease.reservations().getFirst().id(),
                        ResourceKind.PHYSICAL_HOST,
                        3,
                        2,
                        1,
                        PERIOD,
                        0,
                        null);
        return new LeaseView(
                lease.id(),
                lease.projectId(),
                lease.userId(),
                lease.name(),
                LeaseStatus.RETRYING,
                lease.period(),
                lease.beforeEnd(),
                null,
                lease.reservations(),
                List.of(),
                lease.createdAt(),
                null,
                lease.version(),
                new LeaseRetries(
                        List.of(new LeaseRetries.Attempt(START, List.of(shortage))),
                        3,
                        START.plusSeconds(300)),
                null);
    }
}
