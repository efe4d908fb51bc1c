package org.leasehold.lease;

import org.leasehold.inventory.ResourceKind;

import java.time.Instant;
import java.util.List;

/** Why a command was not carried out although the calendar was not asked, or could hold it. */
public sealed interface LeaseRejection {

    /** There is no such lease, or not any more. */
    record LeaseNotFound(LeaseId leaseId) implements LeaseRejection {}

    /** The id is taken. */
    record LeaseExists(LeaseId leaseId) implements LeaseRejection {}

    /**
     * The lease is not any more what the caller saw.
     *
     * @param version what it is now: the number of its events
     */
    record VersionMismatch(LeaseId leaseId, long version) implements LeaseRejection {}

    /** A name is 0 to 80 characters. */
    record InvalidName(int length, int longest) implements LeaseRejection {}

    record StartInPast(Instant start, Instant now) implements LeaseRejection {}

    record EndNotAfterStart(Instant start, Instant end) implements LeaseRejection {}

    /** On a change: the new end must be later than now and than the start. */
    record EndInPast(Instant end, Instant now) implements LeaseRejection {}

    /** The announcement of the end must lie inside the window. */
    record BeforeEndOutside(Instant beforeEnd, LeasePeriod period) implements LeaseRejection {}

    record StartAlreadyHappened(Instant start) implements LeaseRejection {}

    /** A lease that is over can only be renamed. */
    record LeaseOver(Instant end) implements LeaseRejection {}

    /** What was asked cannot be done while the lease is as it is. */
    record WrongStatus(String status, String asked) implements LeaseRejection {}

    /** A project has at most so many leases that are not over. */
    record TooManyLeases(long most) implements LeaseRejection {}

    /** A lease has at most so many reservations. */
    record TooManyReservations(int most) implements LeaseRejection {}

    record UnknownReservations(List<String> ids) implements LeaseRejection {}

    record UnknownKind(ResourceKind kind) implements LeaseRejection {}

    /** A reservation's kind is for life. */
    record KindIsFixed(ReservationId reservationId) implements LeaseRejection {}

    /**
     * A parameter of a reservation is not what its plugin understands.
     *
     * @param index the reservation's place in the request, from 0
     * @param field the parameter at fault
     * @param message what is wrong with it, in the words of the plugin
     */
    record InvalidReservation(int index, String field, String message) implements LeaseRejection {}

    /**
     * What a lease that is taken over from elsewhere has there is not free here.
     *
     * @param reason names the resource and why
     */
    record NotFree(ReservationId reservationId, String reason) implements LeaseRejection {}

    /** The idempotency key was used for another request. */
    record IdempotencyKeyReused(String key) implements LeaseRejection {}
}
