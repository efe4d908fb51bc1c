package org.leasehold.gateway.api;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * What went wrong, as RFC 9457 has it.
 *
 * @param type names the problem; stable, and what programs should look at
 * @param title the same for people
 * @param detail what is wrong this time
 * @param errors the fields at fault, where any are
 * @param shortages what the calendar lacks, where that is the problem
 * @param leases the leases that stand in the way, where any do
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
        @Nullable List<LeaseAnswers.Shortfall> shortages,
        @Nullable List<UUID> leases,
        @Nullable UUID leaseId) {

    /**
     * A field at fault.
     *
     * @param field its path in the request, such as {@code reservations[0].kind}
     */
    record FieldError(String field, String message) {}

    /** A problem whose type and title are the words of its name. */
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

    /** The same problem, told of other fields: those on the left are named as on the right. */
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

    Problem withShortages(List<LeaseAnswers.Shortfall> missing, UUID lease) {
        return new Problem(type, title, status, detail, requestId, errors, missing, leases, lease);
    }
}
