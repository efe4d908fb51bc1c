package org.leasehold.gateway.v1.lease;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.completion.TimedRequestCompleter;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.FilterPropertyValidator;
import org.leasehold.gateway.v1.http.V1Body;
import org.leasehold.gateway.v1.http.V1Dates;
import org.leasehold.gateway.v1.http.V1Exception;
import org.leasehold.gateway.v1.http.V1Problems;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.ReservationChange;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.resource.RequestCompleter.Asker;
import org.leasehold.resource.RequestCompleter.Completion;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.wire.blazar.LeaseRendering;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads the requests of Blazar's clients. It reads only the fields named here: a client cannot set
 * a column by its name, and {@code events} have no effect.
 */
public final class LeaseRequestParser {

    /** Names of kinds in a fork of Blazar that Blazar itself does not have. */
    private static final Map<String, ResourceKind> KIND_ALIASES =
            Map.of("network", ResourceKind.NETWORK);

    private static final Pattern UUID_TEXT =
            Pattern.compile("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");

    private static final List<String> REQUIRED = List.of("name", "start_date", "end_date");

    private final Duration beforeEnd;
    private final TimedRequestCompleter completer;
    private final FilterPropertyValidator propertyValidator;
    private final LeaseRendering rendering;

    public LeaseRequestParser(
            Duration beforeEnd,
            TimedRequestCompleter completions,
            FilterPropertyValidator names,
            LeaseRendering rendering) {
        this.beforeEnd = beforeEnd;
        this.completer = completions;
        this.propertyValidator = names;
        this.rendering = rendering;
    }

    CreateLease parseCreate(LeaseId id, V1Body body, Caller caller, Asker asker, Instant now) {
        String missing = REQUIRED.stream().filter(field -> !body.has(field)).collect(joining(","));
        if (!missing.isEmpty()) {
            throw V1Exception.missingParameter(missing);
        }
        List<V1Body> reservations = body.objects("reservations");
        String name = body.text("name");
        Instant start = V1Dates.parseOrNow(body.get("start_date"), now);
        Instant end = V1Dates.parseOrNow(body.get("end_date"), now);
        Instant announcement = parseBeforeEnd(body, start, end);
        // The cloud is called last: most errors of a request are found without it.
        return new CreateLease(
                id,
                caller.project(),
                caller.user(),
                name,
                start,
                end,
                announcement,
                reservations.stream().map(asked -> parseReservation(asked, caller, asker)).toList(),
                null,
                null);
    }

    private ReservationWish parseReservation(V1Body reservation, Caller caller, Asker asker) {
        ResourceKind kind = kind(reservation);
        Map<String, @Nullable Object> asked = fieldsExcept(reservation, "resource_type");
        requireKnownNames(caller, kind, asked, Map.of());
        return new ReservationWish(
                new ReservationId(UUID.randomUUID()), kind, complete(kind, asked, Map.of(), asker));
    }

    private Map<String, @Nullable Object> complete(
            ResourceKind kind,
            Map<String, @Nullable Object> asked,
            Map<String, @Nullable Object> present,
            Asker asker) {
        return switch (completer.complete(kind, asked, present, asker)) {
            case Completion.Complete(var parameters) -> parameters;
            case Completion.NotFound missing -> throw V1Exception.refused(404, missing.message());
            case Completion.Refused refused -> throw V1Exception.refused(400, refused.message());
            case Completion.Unknown unknown -> throw V1Problems.of(unknown.fault().forHolder());
        };
    }

    private void requireKnownNames(
            Caller caller,
            ResourceKind kind,
            Map<String, @Nullable Object> asked,
            Map<String, @Nullable Object> present) {
        propertyValidator
                .findUnknownProperty(caller, kind, asked, present)
                .ifPresent(
                        misnamed -> {
                            throw V1Exception.refused(
                                    400, misnamed.field() + ": " + misnamed.blazarMessage());
                        });
    }

    private static ResourceKind kind(V1Body reservation) {
        String kind = reservation.text("resource_type");
        if (kind.isBlank()) {
            throw V1Exception.malformedParameter("resource_type");
        }
        return KIND_ALIASES.getOrDefault(kind, new ResourceKind(kind));
    }

    private @Nullable Instant parseBeforeEnd(V1Body body, Instant start, Instant end) {
        Instant asked = parseBeforeEnd(body);
        if (asked == null) {
            return beforeEnd.isZero() ? null : later(end.minus(beforeEnd), start);
        }
        // The default may equal the start, a requested time must not: only here the two differ.
        if (asked.equals(start) && start.isBefore(end)) {
            throw V1Problems.beforeEndOutside();
        }
        return asked;
    }

    private static @Nullable Instant parseBeforeEnd(V1Body body) {
        JsonNode asked = body.get("before_end_date");
        boolean absent =
                asked == null
                        || asked.isNull()
                        || (asked.isString() && asked.stringValue().isEmpty());
        return absent ? null : V1Dates.parse(asked);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /** Returns the requested change; null when there is none. */
    @Nullable ChangeLease parseChange(
            LeaseView lease, V1Body body, Caller caller, Asker asker, Instant now) {
        String name = body.has("name") ? body.text("name") : null;
        Instant start = parseNewDate(body, "start_date", lease.period().start(), now);
        Instant end = parseNewDate(body, "end_date", lease.period().end(), now);
        // Blazar ignores it if the lease has no announcement to move.
        Instant announcement = lease.beforeEnd() == null ? null : parseBeforeEnd(body);
        List<ReservationChange> changes =
                parseChanges(lease, body.objects("reservations"), caller, asker);
        boolean nothing =
                name == null
                        && start == null
                        && end == null
                        && announcement == null
                        && changes.isEmpty();
        return nothing
                ? null
                : new ChangeLease(lease.id(), name, start, end, announcement, changes);
    }

    /**
     * Returns a date that differs. A lease may have seconds, which these clients cannot send: the
     * same minute is no change.
     */
    private static @Nullable Instant parseNewDate(
            V1Body body, String field, Instant present, Instant now) {
        if (!body.has(field)) {
            return null;
        }
        Instant asked = V1Dates.parseOrNow(body.get(field), now);
        return asked.equals(V1Dates.truncateToMinute(present)) ? null : asked;
    }

    private List<ReservationChange> parseChanges(
            LeaseView lease, List<V1Body> reservations, Caller caller, Asker asker) {
        Map<String, ReservationView> known =
                lease.reservations().stream().collect(toMap(r -> r.id().toString(), r -> r));
        List<String> ids = reservations.stream().map(LeaseRequestParser::id).toList();
        List<String> unknown = ids.stream().filter(id -> !known.containsKey(id)).toList();
        if (!unknown.isEmpty()) {
            throw V1Problems.unknownReservations(unknown);
        }
        List<ReservationChange> changes = new ArrayList<>();
        for (V1Body reservation : reservations) {
            ReservationView present = Objects.requireNonNull(known.get(id(reservation)));
            if (reservation.has("resource_type") && !kind(reservation).equals(present.kind())) {
                throw V1Problems.kindIsFixed();
            }
            Map<String, @Nullable Object> asked = fieldsExcept(reservation, "id", "resource_type");
            if (!asked.isEmpty()) {
                // A client that sends back the shown parameters changes none, least of all a
                // flavor, which is shown by the name of the reservation's own.
                asked.entrySet().removeAll(rendering.parameters(present).entrySet());
                requireKnownNames(caller, present.kind(), asked, present.parameters());
                changes.add(
                        new ReservationChange(
                                present.id(),
                                complete(present.kind(), asked, present.parameters(), asker)));
            }
        }
        return changes;
    }

    private static String id(V1Body reservation) {
        JsonNode id = reservation.get("id");
        if (id == null || id.isNull()) {
            throw V1Exception.missingParameter("reservation ID");
        }
        // UUIDs are the same in upper case; other text stays as it is for the error message.
        String text = id.isString() ? id.stringValue() : id.toString();
        return UUID_TEXT.matcher(text).matches() ? text.toLowerCase(Locale.ROOT) : text;
    }

    private static Map<String, @Nullable Object> fieldsExcept(V1Body body, String... fields) {
        Map<String, @Nullable Object> rest = body.fields();
        Stream.of(fields).forEach(rest::remove);
        return rest;
    }
}
