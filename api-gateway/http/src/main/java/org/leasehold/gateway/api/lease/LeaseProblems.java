package org.leasehold.gateway.api.lease;

import org.leasehold.command.Outcome;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.request.header.EntityTags;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.vocabulary.LeaseId;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Problems of leases that were not created or changed, for people and for programs. */
public final class LeaseProblems {

    /** The time until a retry: most leases end at whole minutes. */
    private static final Duration LEASE_LIMIT_RETRY_AFTER = Duration.ofMinutes(1);

    private LeaseProblems() {}

    /**
     * Returns the position that includes the change.
     *
     * @throws ProblemException when there was no change
     */
    public static long requireAccepted(
            Outcome<LeaseRejection> outcome, LeaseId lease, RequestedKinds asked) {
        return switch (outcome) {
            case Outcome.Accepted<LeaseRejection> accepted -> accepted.position();
            case Outcome.Refused<LeaseRejection> refused ->
                    throw new ProblemException(
                            notEnoughResources(asked.shortfalls(refused.shortages()), lease),
                            refused.position());
            case Outcome.Rejected<LeaseRejection> rejected ->
                    throw toException(rejected.rejection());
        };
    }

    /**
     * Returns the lease.
     *
     * @throws ProblemException when there is none that the caller may see
     */
    public static LeaseView requireFound(Optional<LeaseView> found) {
        return found.orElseThrow(() -> new ProblemException(Problem.notFound("lease")));
    }

    public static ProblemException toException(LeaseRejection rejection) {
        Problem problem = of(rejection);
        return rejection instanceof LeaseRejection.TooManyLeases
                        || rejection instanceof LeaseRejection.TooManyRetries
                ? new ProblemException(problem, LEASE_LIMIT_RETRY_AFTER)
                : new ProblemException(problem);
    }

    private static Problem of(LeaseRejection rejection) {
        return switch (rejection) {
            case LeaseRejection.LeaseNotFound r -> Problem.notFound("lease");
            case LeaseRejection.LeaseExists r -> leaseExists(r);
            case LeaseRejection.VersionMismatch r -> versionMismatch(r);
            case LeaseRejection.InvalidName r ->
                    invalid(
                            "invalid-name",
                            "name",
                            "must have at most " + r.longest() + " characters");
            case LeaseRejection.StartInPast r ->
                    invalid("start-in-past", "start", "is in the past: it is " + r.now());
            case LeaseRejection.EndNotAfterStart r ->
                    invalid("end-not-after-start", "end", "must be later than " + r.start());
            case LeaseRejection.EndInPast r ->
                    invalid("end-in-past", "end", "is in the past: it is " + r.now());
            case LeaseRejection.LeaseTooLong r ->
                    invalid(
                            "lease-too-long",
                            "end",
                            "must be at most %s seconds after the start: it is %s seconds"
                                    .formatted(r.max().toSeconds(), r.duration().toSeconds()));
            case LeaseRejection.BeforeEndOutside r -> beforeEndOutside(r);
            case LeaseRejection.StartAlreadyHappened r -> alreadyStarted(r);
            case LeaseRejection.LeaseOver r ->
                    Problem.of(409, "lease-over", "The lease is over since " + r.end() + ".");
            case LeaseRejection.WrongStatus r -> wrongStatus(r);
            case LeaseRejection.TooManyLeases r -> tooManyLeases(r);
            case LeaseRejection.TooManyRetries r -> tooManyRetries(r);
            case LeaseRejection.InvalidRetry r -> invalidRetry(r);
            case LeaseRejection.TooManyReservations r ->
                    invalid(
                            "too-many-reservations",
                            "reservations",
                            "would be more than " + r.most() + " of the lease");
            case LeaseRejection.UnknownReservations r ->
                    invalid(
                            "unknown-reservations",
                            "reservations",
                            "name what the lease has not: " + String.join(", ", r.ids()));
            case LeaseRejection.UnknownRemoval r ->
                    invalid(
                            "unknown-reservations",
                            "remove[%s]".formatted(r.index()),
                            "is not of a reservation of the lease: " + r.reservationId());
            case LeaseRejection.LastReservation r -> lastReservation(r);
            case LeaseRejection.ReservationNeeded r -> reservationNeeded(r);
            case LeaseRejection.UnknownKind r ->
                    invalid("unknown-kind", "kind", "is unknown: " + r.kind());
            case LeaseRejection.KindIsFixed r -> invalid("kind-is-fixed", "kind", "cannot change");
            case LeaseRejection.InvalidReservation r -> invalidReservation(r);
            // No request of this API imports a lease.
            case LeaseRejection.NotFree r -> Problem.of(409, "not-free", r.reason() + ".");
            case LeaseRejection.IdempotencyKeyReused r -> Problem.keyReused(r.key());
        };
    }

    private static Problem leaseExists(LeaseRejection.LeaseExists rejection) {
        return Problem.of(
                409, "lease-exists", "There is a lease " + rejection.leaseId() + " already.");
    }

    private static Problem versionMismatch(LeaseRejection.VersionMismatch rejection) {
        return Problem.of(
                412,
                "precondition-failed",
                "The lease does not meet the condition: its version is %s, its entity tag %s."
                        .formatted(rejection.version(), EntityTags.of(rejection.version())));
    }

    private static Problem beforeEndOutside(LeaseRejection.BeforeEndOutside rejection) {
        return invalid(
                "before-end-outside",
                "before_end",
                "must lie from " + rejection.period().start() + " to " + rejection.period().end());
    }

    private static Problem alreadyStarted(LeaseRejection.StartAlreadyHappened rejection) {
        return Problem.of(
                        409,
                        "already-started",
                        "The lease has started at " + rejection.start() + " already.")
                .with("start", "cannot change any more");
    }

    private static Problem wrongStatus(LeaseRejection.WrongStatus rejection) {
        return Problem.of(
                409,
                "wrong-status",
                "The lease is %s: it cannot %s now."
                        .formatted(rejection.status(), rejection.asked()));
    }

    private static Problem lastReservation(LeaseRejection.LastReservation rejection) {
        return Problem.of(
                        409,
                        "last-reservation",
                        "The lease would have no reservation left: end it instead.")
                .with("remove", "names the last reservation, " + rejection.reservationId());
    }

    private static Problem reservationNeeded(LeaseRejection.ReservationNeeded rejection) {
        return Problem.of(
                        409,
                        "reservation-needed",
                        "Reservation %s may use %s: remove both or neither."
                                .formatted(rejection.neededBy(), rejection.reservationId()))
                .with(
                        "remove",
                        "names what reservation %s starts after: %s"
                                .formatted(rejection.neededBy(), rejection.reservationId()));
    }

    private static Problem tooManyLeases(LeaseRejection.TooManyLeases rejection) {
        return Problem.of(
                429,
                "too-many-leases",
                "The project has %s unfinished leases, as many as it may have."
                        .formatted(rejection.most()));
    }

    private static Problem tooManyRetries(LeaseRejection.TooManyRetries rejection) {
        return Problem.of(
                429,
                "too-many-retries",
                "The project has %s leases that are retried, as many as it may have."
                        .formatted(rejection.max()));
    }

    private static Problem invalidRetry(LeaseRejection.InvalidRetry rejection) {
        return switch (rejection.part()) {
            case ATTEMPTS ->
                    invalid(
                            "invalid-retry",
                            "retry.attempts",
                            "must be at most " + rejection.limit());
            case INTERVAL ->
                    invalid(
                            "invalid-retry",
                            "retry.interval_seconds",
                            "must be at least " + rejection.limit());
        };
    }

    private static Problem invalidReservation(LeaseRejection.InvalidReservation rejection) {
        return invalid(
                "invalid-reservation",
                "reservations[%s].parameters.%s".formatted(rejection.index(), rejection.field()),
                rejection.message());
    }

    /** Returns the problem for a refusal of the calendar. */
    private static Problem notEnoughResources(List<Problem.Shortfall> missing, LeaseId lease) {
        String detail =
                missing.isEmpty()
                        ? "The calendar cannot hold it."
                        : String.join(
                                " ", missing.stream().map(Problem.Shortfall::sentence).toList());
        return Problem.of(409, "not-enough-resources", detail)
                .withShortages(missing, lease.value());
    }

    private static Problem invalid(String name, String field, String message) {
        return Problem.of(400, name, field + ": " + message).with(field, message);
    }
}
