package org.leasehold.gateway.api;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

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
record Problem(
        String type,
        String title,
        int status,
        String detail,
        @Nullable String requestId,
        @Nullable List<FieldError> errors,
        @Nullable List<LeaseResponses.Shortfall> shortages,
        @Nullable List<UUID> leases,
        @Nullable UUID leaseId) {

    /**
     * An invalid field.
     *
     * @param field its path in the request, such as {@code reservations[0].kind}
     */
    record FieldError(String field, String message) {}

    /** Returns a problem whose type and title are the words of its name. */
    static Problem of(int status, String name, String detail) {
        return new Problem(
                "/problems/" + name, titleOf(name), status, detail, null, null, null, null, null);
    }

    static String titleOf(String name) {
        String words = name.replace('-', ' ');
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    static Problem notFound(String what) {
        return of(404, "not-found", "There is no such " + what + ".");
    }

    static Problem ofField(String field, String message) {
        return of(400, "bad-request", field + " " + message).with(field, message);
    }

    Problem with(String field, String message) {
        return with(List.of(new FieldError(field, message)));
    }

    Problem with(List<FieldError> fields) {
        return new Problem(
                type, title, status, detail, requestId, fields, shortages, leases, leaseId);
    }

    /** Returns the same problem with other field names: keys are replaced by values. */
    Problem withFieldsRenamed(Map<String, String> names) {
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

    Problem withRequest(String id) {
        return new Problem(type, title, status, detail, id, errors, shortages, leases, leaseId);
    }

    Problem withLeases(List<UUID> ids) {
        return new Problem(type, title, status, detail, requestId, errors, shortages, ids, leaseId);
    }

    Problem withShortages(List<LeaseResponses.Shortfall> missing, UUID lease) {
        return new Problem(type, title, status, detail, requestId, errors, missing, leases, lease);
    }
}
