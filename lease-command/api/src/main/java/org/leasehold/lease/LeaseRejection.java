package org.leasehold.lease;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.StoredName;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The reason why a command was rejected without a refusal by the calendar. */
public sealed interface LeaseRejection {

    /** The lease does not exist, or not any more. */
    @StoredName("LeaseNotFound")
    record LeaseNotFound(LeaseId leaseId) implements LeaseRejection {}

    /** The id is taken. */
    @StoredName("LeaseExists")
    record LeaseExists(LeaseId leaseId) implements LeaseRejection {}

    /**
     * The lease has changed since the caller read it.
     *
     * @param version the current version: the number of the lease's events
     */
    @StoredName("VersionMismatch")
    record VersionMismatch(LeaseId leaseId, long version) implements LeaseRejection {}

    /** A name is 0 to 80 characters. */
    @StoredName("InvalidName")
    record InvalidName(int length, int longest) implements LeaseRejection {}

    @StoredName("StartInPast")
    record StartInPast(Instant start, Instant now) implements LeaseRejection {}

    @StoredName("EndNotAfterStart")
    record EndNotAfterStart(Instant start, Instant end) implements LeaseRejection {}

    /** A new end must be later than now and than the start. */
    @StoredName("EndInPast")
    record EndInPast(Instant end, Instant now) implements LeaseRejection {}

    /**
     * The lease would be longer than the operator allows.
     *
     * @param duration the time from the start to the end
     * @param max the longest time allowed
     */
    @StoredName("LeaseTooLong")
    record LeaseTooLong(Duration duration, Duration max) implements LeaseRejection {}

    /** The announcement of the end must lie inside the window. */
    @StoredName("BeforeEndOutside")
    record BeforeEndOutside(Instant beforeEnd, LeasePeriod period) implements LeaseRejection {}

    @StoredName("StartAlreadyHappened")
    record StartAlreadyHappened(Instant start) implements LeaseRejection {}

    /** A lease that is over can only be renamed. */
    @StoredName("LeaseOver")
    record LeaseOver(Instant end) implements LeaseRejection {}

    /** The lease's state does not permit the command. */
    @StoredName("WrongStatus")
    record WrongStatus(String status, String asked) implements LeaseRejection {}

    /** A project has at most {@code most} leases that are not over. */
    @StoredName("TooManyLeases")
    record TooManyLeases(long most) implements LeaseRejection {}

    /** A project has at most {@code max} leases that are retried. */
    @StoredName("TooManyRetries")
    record TooManyRetries(int max) implements LeaseRejection {}

    /**
     * The requested retries are outside the operator's limits.
     *
     * @param part the invalid part of the request
     * @param limit the least or the greatest permitted value
     */
    @StoredName("InvalidRetry")
    record InvalidRetry(Part part, long limit) implements LeaseRejection {

        /** A part of the requested retries. */
        public enum Part {
            /** More attempts than permitted. */
            ATTEMPTS,
            /** Fewer seconds between attempts than permitted. */
            INTERVAL
        }
    }

    /** A lease has at most {@code most} reservations. */
    @StoredName("TooManyReservations")
    record TooManyReservations(int most) implements LeaseRejection {}

    @StoredName("UnknownReservations")
    record UnknownReservations(List<String> ids) implements LeaseRejection {}

    /**
     * The lease does not have a reservation to remove.
     *
     * @param index the index in the request, from 0
     */
    @StoredName("UnknownRemoval")
    record UnknownRemoval(int index, ReservationId reservationId) implements LeaseRejection {}

    /** A lease keeps at least one reservation; to free all of them, end it. */
    @StoredName("LastReservation")
    record LastReservation(ReservationId reservationId) implements LeaseRejection {}

    /**
     * A reservation to remove is of a kind that another one of the lease starts after.
     *
     * @param neededBy a reservation that stays
     */
    @StoredName("ReservationNeeded")
    record ReservationNeeded(ReservationId reservationId, ReservationId neededBy)
            implements LeaseRejection {}

    @StoredName("UnknownKind")
    record UnknownKind(ResourceKind kind) implements LeaseRejection {}

    /** A reservation's kind cannot change. */
    @StoredName("KindIsFixed")
    record KindIsFixed(ReservationId reservationId) implements LeaseRejection {}

    /**
     * A plug-in does not accept a parameter of a reservation.
     *
     * @param index the reservation's index in the request, from 0
     * @param field the invalid parameter
     * @param message the problem, in the words of the plug-in
     */
    @StoredName("InvalidReservation")
    record InvalidReservation(int index, String field, String message) implements LeaseRejection {}

    /**
     * A resource that an imported lease has elsewhere is not free here.
     *
     * @param reason names the resource and why
     */
    @StoredName("NotFree")
    record NotFree(ReservationId reservationId, String reason) implements LeaseRejection {}

    /** The idempotency key was used for another request. */
    @StoredName("IdempotencyKeyReused")
    record IdempotencyKeyReused(String key) implements LeaseRejection {}
}
