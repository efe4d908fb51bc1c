package org.leasehold.saga;

import org.leasehold.calendar.Shortage;
import org.leasehold.command.Outcome;
import org.leasehold.lease.LeaseRejection;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The result of a request that the engine sends for an object in the cloud: for a lease tag, or for
 * a server without a lease. A problem is a sentence for the owner of the object.
 */
public sealed interface LeaseRequestResult {

    /** It is leased. */
    record Granted() implements LeaseRequestResult {}

    /**
     * It is not leased until its owner writes another text.
     *
     * @param problem a sentence for its owner
     */
    record Denied(String problem) implements LeaseRequestResult {}

    /** The answer is unknown at the moment. */
    record Later() implements LeaseRequestResult {}

    static LeaseRequestResult of(Outcome<LeaseRejection> outcome) {
        return switch (outcome) {
            case Outcome.Accepted<LeaseRejection> _ -> new Granted();
            case Outcome.Refused<LeaseRejection> refused ->
                    new Denied(shortageMessage(refused.shortages()));
            case Outcome.Rejected<LeaseRejection> rejected -> of(rejected.rejection());
        };
    }

    private static String shortageMessage(List<Shortage> shortages) {
        Optional<Instant> next =
                shortages.stream()
                        .flatMap(shortage -> Stream.ofNullable(shortage.nextStart()))
                        .max(Instant::compareTo);
        return "There is no room for it then"
                + next.map(start -> "; it could start at " + start).orElse("");
    }

    private static LeaseRequestResult of(LeaseRejection rejection) {
        return switch (rejection) {
            // Its id is the lease tag's: an earlier node died before it stored the answer.
            case LeaseRejection.LeaseExists _ -> new Granted();
            case LeaseRejection.LeaseNotFound r -> leaseNotFound(r.leaseId().toString());
            case LeaseRejection.InvalidName r ->
                    new Denied("name has more than %s characters".formatted(r.longest()));
            case LeaseRejection.StartInPast _ -> new Denied("start is in the past");
            case LeaseRejection.EndNotAfterStart _ -> new Denied("end is not later than start");
            case LeaseRejection.EndInPast _ -> new Denied("end is in the past");
            case LeaseRejection.LeaseTooLong r ->
                    new Denied(
                            "The lease would last %s seconds, and at most %s are allowed"
                                    .formatted(r.duration().toSeconds(), r.max().toSeconds()));
            case LeaseRejection.BeforeEndOutside _ ->
                    new Denied("before_end does not lie between start and end");
            case LeaseRejection.LeaseOver _ -> new Denied("The lease is over");
            case LeaseRejection.TooManyLeases r ->
                    new Denied(
                            "The project has %s leases already, as many as it may have"
                                    .formatted(r.most()));
            case LeaseRejection.TooManyReservations r ->
                    new Denied("The lease has %s reservations already".formatted(r.most()));
            case LeaseRejection.InvalidReservation r -> new Denied(r.field() + ": " + r.message());
            // The lease may have changed since it was read.
            case LeaseRejection.WrongStatus _, LeaseRejection.UnknownKind _ -> new Later();
            case LeaseRejection.VersionMismatch _,
                    LeaseRejection.StartAlreadyHappened _,
                    LeaseRejection.UnknownReservations _,
                    LeaseRejection.UnknownRemoval _,
                    LeaseRejection.LastReservation _,
                    LeaseRejection.ReservationNeeded _,
                    LeaseRejection.KindIsFixed _,
                    LeaseRejection.NotFree _,
                    LeaseRejection.TooManyRetries _,
                    LeaseRejection.InvalidRetry _,
                    LeaseRejection.IdempotencyKeyReused _ ->
                    throw new IllegalStateException("nobody asked for that: " + rejection);
        };
    }

    /** Returns the answer for an unknown lease; another project's lease is unknown, too. */
    static Denied leaseNotFound(String id) {
        return new Denied("There is no lease " + id);
    }
}
