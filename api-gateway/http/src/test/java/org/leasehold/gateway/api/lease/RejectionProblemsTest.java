package org.leasehold.gateway.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.vocabulary.ReservationId;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Tests that each rejection has a status and a problem type. */
@ApiTest
class RejectionProblemsTest extends ApiLeasesFixture {

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
                        new LeaseRejection.LeaseTooLong(Duration.ofDays(8), Duration.ofDays(7)),
                        400,
                        "lease-too-long"),
                new Case(
                        new LeaseRejection.BeforeEndOutside(START, PERIOD),
                        400,
                        "before-end-outside"),
                new Case(new LeaseRejection.StartAlreadyHappened(START), 409, "already-started"),
                new Case(new LeaseRejection.LeaseOver(START), 409, "lease-over"),
                new Case(new LeaseRejection.WrongStatus("Ended", "end"), 409, "wrong-status"),
                new Case(new LeaseRejection.TooManyLeases(10_000), 429, "too-many-leases"),
                new Case(new LeaseRejection.TooManyRetries(100), 429, "too-many-retries"),
                new Case(
                        new LeaseRejection.InvalidRetry(
                                LeaseRejection.InvalidRetry.Part.ATTEMPTS, 100),
                        400,
                        "invalid-retry"),
                new Case(new LeaseRejection.TooManyReservations(100), 400, "too-many-reservations"),
                new Case(
                        new LeaseRejection.UnknownReservations(List.of("a")),
                        400,
                        "unknown-reservations"),
                new Case(
                        new LeaseRejection.UnknownRemoval(0, new ReservationId(ID.value())),
                        400,
                        "unknown-reservations"),
                new Case(
                        new LeaseRejection.LastReservation(new ReservationId(ID.value())),
                        409,
                        "last-reservation"),
                new Case(
                        new LeaseRejection.ReservationNeeded(
                                new ReservationId(ID.value()), new ReservationId(ID.value())),
                        409,
                        "reservation-needed"),
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
    void retries_outside_the_limits_are_named_with_the_limit() {
        engine.rejectNext(
                new LeaseRejection.InvalidRetry(LeaseRejection.InvalidRetry.Part.INTERVAL, 30));

        assertThat(create().json().at("/errors/0").toString())
                .isEqualTo(
                        "{\"field\":\"retry.interval_seconds\",\"message\":\"must be at least"
                                + " 30\"}");
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
