package org.leasehold.gateway.api.problem;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Shortage;
import org.leasehold.gateway.api.http.FormerName;
import org.leasehold.gateway.api.http.TimeParser;
import org.leasehold.inventory.ResourceKind;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * A problem detail (RFC 9457).
 *
 * @param type the name of the problem; stable, for use by programs
 * @param title the same for people
 * @param detail the error of this request
 * @param errors the invalid fields, if any
 * @param shortages the shortages of the calendar, if these are the problem
 * @param leases the leases that prevent the change, if any
 * @param leaseId the lease that was refused; its history explains the refusal for good
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Problem(
        String type,
        String title,
        int status,
        String detail,
        @Nullable String requestId,
        @Nullable List<FieldError> errors,
        @Nullable List<Shortfall> shortages,
        @Nullable List<UUID> leases,
        @Nullable UUID leaseId) {

    /**
     * An invalid field.
     *
     * @param field its path in the request, such as {@code reservations[0].kind}
     */
    public record FieldError(String field, String message) {}

    /**
     * The reason why the calendar cannot hold a reservation.
     *
     * @param kind the requested kind; for a stack, the kind of the part that is short
     * @param matching how many resources meet the requirement at all
     * @param free how many of them are free throughout the window
     * @param missing how many are missing in the window
     * @param start the start of the part of the window in which the fewest are free
     * @param end the end of that part; exclusive
     * @param freeInPart how many are free throughout that part
     * @param nextStart the earliest later start at which it could be held
     */
    public record Shortfall(
            UUID reservationId,
            String kind,
            int wanted,
            int matching,
            int free,
            int missing,
            @FormerName("part_start") Instant start,
            @FormerName("part_end") Instant end,
            int freeInPart,
            @Nullable Instant nextStart) {

        public static Shortfall of(Shortage shortage, ResourceKind asked) {
            return new Shortfall(
                    shortage.reservation().value(),
                    asked.value(),
                    shortage.wanted(),
                    shortage.matching(),
                    shortage.free(),
                    shortage.missing(),
                    TimeParser.clamp(shortage.part().start()),
                    TimeParser.clamp(shortage.part().end()),
                    shortage.freeInPart(),
                    requestable(shortage.nextStart()));
        }

        /** Returns a start that a request can contain; cleaning may end after the last one. */
        private static @Nullable Instant requestable(@Nullable Instant start) {
            return start != null && TimeParser.accepts(start) ? start : null;
        }

        public String sentence() {
            String shortage =
                    "%s of %s wanted, %s match and %s of them are free throughout; only %s from %s to %s."
                            .formatted(wanted, kind, matching, free, freeInPart, start, end);
            return nextStart == null
                    ? shortage
                    : shortage + " The next start is " + nextStart + ".";
        }
    }

    /** Returns a problem whose type and title are the words of its name. */
    public static Problem of(int status, String name, String detail) {
        return new Problem(
                "/problems/" + name, titleOf(name), status, detail, null, null, null, null, null);
    }

    static String titleOf(String name) {
        String words = name.replace('-', ' ');
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    public static Problem notFound(String what) {
        return of(404, "not-found", "There is no such " + what + ".");
    }

    public static Problem keyReused(String key) {
        return of(
                422,
                "idempotency-key-reused",
                "The idempotency key " + key + " was used for another request.");
    }

    public static Problem ofField(String field, String message) {
        return of(400, "bad-request", field + " " + message).with(field, message);
    }

    public Problem with(String field, String message) {
        return with(List.of(new FieldError(field, message)));
    }

    public Problem with(List<FieldError> fields) {
        return new Problem(
                type, title, status, detail, requestId, fields, shortages, leases, leaseId);
    }

    /** Returns the same problem with other field names: keys are replaced by values. */
    public Problem withFieldsRenamed(Map<String, String> names) {
        return errors == null
                ? this
                : with(
                        errors.stream()
                                .map(
                                        error ->
                                                new FieldError(
                                                        names.getOrDefault(
                                                                error.field(), error.field()),
                                                        error.message()))
                                .toList());
    }

    public Problem withRequest(String id) {
        return new Problem(type, title, status, detail, id, errors, shortages, leases, leaseId);
    }

    public Problem withLeases(List<UUID> ids) {
        return new Problem(type, title, status, detail, requestId, errors, shortages, ids, leaseId);
    }

    public Problem withShortages(List<Shortfall> missing, UUID lease) {
        return new Problem(type, title, status, detail, requestId, errors, missing, leases, lease);
    }
}
