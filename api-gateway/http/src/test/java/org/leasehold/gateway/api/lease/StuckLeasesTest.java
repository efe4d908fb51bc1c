package org.leasehold.gateway.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.lease.Action;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.operation.StuckActionQuery.StuckAction;
import org.leasehold.readmodel.operation.StuckActionQuery.Target;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Tests failed actions of leases: explanations and retries. */
@ApiTest
class StuckLeasesTest extends ApiLeasesFixture {

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
        engine.alter(LeaseId.of(lease), StuckLeasesTest::starting);
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

    @Test
    void the_failed_start_of_a_released_lease_does_not_hide_an_end_that_waits() {
        LeaseId lease = LeaseId.of(create().json().path("id").asString());
        String start = "Reservation 1 could not be started: no answer";
        engine.alter(lease, view -> withStatus(view, LeaseStatus.ENDING).explained(start));
        assertThat(explanation(lease)).isEqualTo(start);

        calendar.isStuck(
                new StuckAction(
                        new Target.Reservation(
                                lease, new ReservationId(UUID.randomUUID()), Action.END),
                        2,
                        "it is in use",
                        START,
                        START.plusSeconds(50)));
        assertThat(explanation(lease))
                .isEqualTo(
                        "The cloud has not done its part of the end yet, after 2 tries:"
                                + " it is in use");
    }

    private String explanation(LeaseId lease) {
        return client.get("member", "/api/leases/" + lease).json().path("explanation").asString();
    }

    @ParameterizedTest
    @CsvSource({
        "true, false, It has fewer resources than it was granted.",
        "false, true, Other resources took the place of some that could not serve."
    })
    void a_degraded_lease_without_a_failed_attempt_is_explained(
            boolean missing, boolean changed, String explanation) {
        String lease = create().json().path("id").asString();
        engine.alter(
                LeaseId.of(lease),
                view -> with(view, LeaseStatus.ACTIVE, degraded(view, missing, changed)));

        assertThat(
                        client.get("member", "/api/leases/" + lease)
                                .json()
                                .path("explanation")
                                .asString())
                .isEqualTo(explanation);
    }

    private static List<ReservationView> degraded(
            LeaseView lease, boolean missing, boolean changed) {
        return lease.reservations().stream()
                .map(
                        each ->
                                new ReservationView(
                                        each.id(),
                                        each.kind(),
                                        each.status(),
                                        each.parameters(),
                                        each.allocations(),
                                        each.cloudIds(),
                                        missing,
                                        changed,
                                        each.down(),
                                        each.createdAt(),
                                        each.updatedAt()))
                .toList();
    }

    private static LeaseView starting(LeaseView lease) {
        return withStatus(lease, LeaseStatus.STARTING);
    }

    private static LeaseView withStatus(LeaseView lease, LeaseStatus status) {
        return with(lease, status, lease.reservations());
    }

    private static LeaseView with(
            LeaseView lease, LeaseStatus status, List<ReservationView> reservations) {
        return new LeaseView(
                lease.id(),
                lease.projectId(),
                lease.userId(),
                lease.name(),
                status,
                lease.period(),
                lease.beforeEnd(),
                null,
                reservations,
                lease.scheduledEvents(),
                lease.createdAt(),
                lease.updatedAt(),
                lease.version(),
                null,
                null);
    }
}
