package org.leasehold.gateway.v1.http;

import static java.util.stream.Collectors.joining;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Shortage;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.wire.blazar.BlazarTimes;

import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Errors of the engine in Blazar's words. Blazar answers 500 for many errors of callers; here these
 * are 409 with the same text, and 400 if the request itself is invalid.
 */
public final class V1Problems {

    private static final String END_TOO_EARLY =
            "End date must be later than current and start date";

    private V1Problems() {}

    public static V1Exception of(LeaseRejection rejection) {
        return switch (rejection) {
            case LeaseRejection.LeaseNotFound r ->
                    V1Exception.notFound("lease_id", r.leaseId().toString());
            case LeaseRejection.LeaseExists r ->
                    V1Exception.refused(409, "The lease " + r.leaseId() + " already exists");
            // Blazar's clients never send If-Match or If-None-Match.
            case LeaseRejection.VersionMismatch r ->
                    V1Exception.refused(
                            412,
                            "The lease does not meet the condition: its version is " + r.version());
            case LeaseRejection.InvalidName r ->
                    V1Exception.malformedParameter(
                            "name (must be at most " + r.longest() + " characters)");
            case LeaseRejection.StartInPast r ->
                    V1Exception.refused(400, "Start date must be later than current date");
            case LeaseRejection.EndNotAfterStart r ->
                    V1Exception.refused(400, "End date must be later than start date.");
            case LeaseRejection.EndInPast r -> V1Exception.refused(400, END_TOO_EARLY);
            case LeaseRejection.LeaseTooLong r -> leaseTooLong(403, r);
            case LeaseRejection.BeforeEndOutside r -> beforeEndOutside();
            case LeaseRejection.StartAlreadyHappened r ->
                    V1Exception.refused(
                            400, "Cannot modify the start date of already started leases");
            case LeaseRejection.LeaseOver r ->
                    V1Exception.refused(400, "Terminated leases can only be renamed");
            case LeaseRejection.WrongStatus r -> V1Exception.refused(409, "Invalid lease status.");
            // Blazar answers so when its usage enforcement denies a creation.
            case LeaseRejection.TooManyLeases r ->
                    V1Exception.refused(
                            403,
                            "The number of unfinished leases of the project must be less than or"
                                    + " equal to "
                                    + r.most());
            // No request of this API is retried.
            case LeaseRejection.TooManyRetries r ->
                    V1Exception.refused(403, "Too many leases of the project are retried");
            case LeaseRejection.InvalidRetry r -> V1Exception.malformedParameter("retry");
            case LeaseRejection.TooManyReservations r ->
                    V1Exception.malformedParameter(
                            "reservations (must be at most " + r.most() + ")");
            case LeaseRejection.UnknownReservations r -> unknownReservations(r.ids());
            // No request of this API removes a reservation.
            case LeaseRejection.UnknownRemoval r ->
                    unknownReservations(List.of(r.reservationId().toString()));
            case LeaseRejection.LastReservation _, LeaseRejection.ReservationNeeded _ ->
                    V1Exception.refused(409, "Invalid lease status.");
            case LeaseRejection.UnknownKind r ->
                    V1Exception.refused(400, "The " + r.kind() + " resource type is not supported");
            case LeaseRejection.KindIsFixed r -> kindIsFixed();
            case LeaseRejection.InvalidReservation r -> V1Exception.refused(400, r.message());
            // No request of this API imports a lease.
            case LeaseRejection.NotFree r -> V1Exception.refused(409, r.reason());
            case LeaseRejection.IdempotencyKeyReused r -> keyReused(r.key());
        };
    }

    /**
     * Returns the error of a change. Blazar has another text for an end before the start, and
     * another status for a lease that is too long.
     */
    public static V1Exception ofChange(LeaseRejection rejection) {
        return switch (rejection) {
            case LeaseRejection.EndNotAfterStart _ -> V1Exception.refused(400, END_TOO_EARLY);
            case LeaseRejection.LeaseTooLong r -> leaseTooLong(400, r);
            case LeaseRejection other -> of(other);
        };
    }

    public static V1Exception of(ResourceRejection rejection) {
        return switch (rejection) {
            case ResourceRejection.ResourceNotFound r ->
                    V1Exception.notFound("host_id", r.resourceId().toString());
            case ResourceRejection.AlreadyEnrolled r ->
                    // The blank at the end is Placement's.
                    V1Exception.refused(
                            409, "Conflict on creating resource provider blazar_" + r.name() + " ");
            case ResourceRejection.PropertiesReliedOn r ->
                    V1Exception.refused(
                            409,
                            "Can't add extracapabilities %s to Host %s"
                                    .formatted(pythonList(r.properties()), r.resourceId()));
            case ResourceRejection.ResourceReserved r ->
                    V1Exception.refused(
                            409,
                            "Can't delete host %s. The host is reserved."
                                    .formatted(r.resourceId()));
            case ResourceRejection.InvalidCapability r ->
                    V1Exception.refused(
                            400,
                            r.name().length() > 64 ? "Extra capability key too long" : r.message());
            case ResourceRejection.WrongState r ->
                    V1Exception.refused(
                            409,
                            "Host %s is %s: cannot %s"
                                    .formatted(r.resourceId(), r.state(), r.asked()));
            case ResourceRejection.IdempotencyKeyReused r -> keyReused(r.key());
        };
    }

    /** Returns the same for a floating IP, with the id that its clients know. */
    public static V1Exception ofFloatingIp(ResourceRejection rejection, String address) {
        return switch (rejection) {
            case ResourceRejection.ResourceNotFound r ->
                    V1Exception.notFound(FloatingIpIds.KEY, FloatingIpIds.of(r.resourceId()));
            case ResourceRejection.AlreadyEnrolled r ->
                    V1Exception.refused(
                            409, "The floating IP " + address + " is already registered.");
            case ResourceRejection.ResourceReserved r ->
                    V1Exception.refused(
                            409,
                            ("Can't delete floating IP %1$s. Floating IP id %1$s is allocated by"
                                            + " reservations.")
                                    .formatted(FloatingIpIds.of(r.resourceId())));
            case ResourceRejection.PropertiesReliedOn _,
                    ResourceRejection.InvalidCapability _,
                    ResourceRejection.WrongState _,
                    ResourceRejection.IdempotencyKeyReused _ ->
                    of(rejection);
        };
    }

    /** Returns the error of a failed call of the cloud. */
    public static V1Exception of(Fault fault) {
        int status =
                switch (fault.kind()) {
                    case RETRYABLE, UNDERWAY -> 503;
                    case INSUFFICIENT_RESOURCES, DENIED, PERMANENT -> 502;
                };
        return V1Exception.refused(status, fault.message());
    }

    /**
     * Returns the error of a refusal. Clients match the text; the reasons are for people.
     *
     * @param resources the name of the resources that are short
     */
    public static V1Exception ofShortages(String resources, List<Shortage> shortages) {
        // Blazar has a 400 for one kind, and a 500 for the others.
        boolean badRequest =
                !shortages.isEmpty()
                        && shortages.getFirst().kind().equals(ResourceKind.FLOATING_IP);
        return V1Exception.refused(
                badRequest ? 400 : 409,
                "Not enough " + resources + " available",
                shortages.stream().map(V1Problems::reason).toList());
    }

    public static V1Exception beforeEndOutside() {
        return V1Exception.refused(403, "Datetime is out of lease limits");
    }

    public static V1Exception kindIsFixed() {
        return V1Exception.refused(409, "resource_type cannot be updated");
    }

    public static V1Exception unknownReservations(Collection<String> ids) {
        return V1Exception.refused(
                400,
                "Please enter valid reservation IDs. Invalid reservation IDs are: "
                        + String.join(",", ids));
    }

    /** Returns a list as Python prints it, as some of Blazar's texts contain one. */
    public static String pythonList(Collection<String> texts) {
        return texts.stream().map(text -> "'" + text + "'").collect(joining(", ", "[", "]"));
    }

    private static V1Exception leaseTooLong(int status, LeaseRejection.LeaseTooLong rejection) {
        return V1Exception.refused(
                status,
                ("Lease duration of %s seconds must be less than or equal to the maximum lease"
                                + " duration of %s seconds.")
                        .formatted(rejection.duration().toSeconds(), rejection.max().toSeconds()));
    }

    private static V1Exception keyReused(String key) {
        return V1Exception.refused(
                422, "The idempotency key " + key + " was used for another request");
    }

    private static Map<String, @Nullable Object> reason(Shortage shortage) {
        Map<String, @Nullable Object> reason = new LinkedHashMap<>();
        reason.put("resource_type", shortage.kind().value());
        reason.put("wanted", shortage.wanted());
        reason.put("matching", shortage.matching());
        reason.put("free", shortage.free());
        reason.put("scarce_from", BlazarTimes.formatMicroseconds(shortage.part().start()));
        reason.put("scarce_until", BlazarTimes.formatMicroseconds(shortage.part().end()));
        reason.put("free_then", shortage.freeInPart());
        Instant next = shortage.nextStart();
        reason.put(
                "next_start",
                next != null && BlazarTimes.isReadable(next)
                        ? BlazarTimes.formatMicroseconds(next)
                        : null);
        return reason;
    }
}
