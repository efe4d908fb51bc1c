package org.leasehold.wire.blazar;

import static java.util.stream.Collectors.toUnmodifiableSet;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Shortage;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.lease.ScheduledEventView;
import org.leasehold.resource.Plugins;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/** A lease in Blazar's form. */
public final class LeaseRendering {

    private final Plugins plugins;

    public LeaseRendering(Plugins plugins) {
        this.plugins = plugins;
    }

    /** Returns the JSON values of the response to a query of the lease. */
    public Map<String, @Nullable Object> render(LeaseView lease) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", lease.id().toString());
        fields.put("name", lease.name());
        fields.put("user_id", lease.userId().value());
        fields.put("project_id", lease.projectId().value());
        // A trust is a credential: clients expect the key, but the value stays secret.
        fields.put("trust_id", null);
        fields.put("start_date", BlazarTimes.formatMicroseconds(lease.period().start()));
        fields.put("end_date", BlazarTimes.formatMicroseconds(lease.period().end()));
        fields.put("status", statusText(lease.status()));
        fields.put("degraded", lease.degraded());
        fields.put("created_at", BlazarTimes.formatSeconds(lease.createdAt()));
        fields.put("updated_at", BlazarTimes.formatSeconds(lease.updatedAt()));
        fields.put(
                "reservations",
                lease.reservations().stream()
                        // Blazar has no state for a reservation that leaves a lease.
                        .filter(r -> !r.status().isRemoved())
                        .map(r -> reservation(lease.id(), r))
                        .toList());
        fields.put(
                "events", lease.scheduledEvents().stream().map(e -> event(lease.id(), e)).toList());
        return fields;
    }

    private static String statusText(LeaseStatus status) {
        return switch (status) {
            // In Blazar, a lease is being created until its resources are reserved.
            case RETRYING -> "CREATING";
            case PENDING -> "PENDING";
            // Blazar has no state for a delay: the window has begun, and the start is pending.
            case DELAYED, STARTING -> "STARTING";
            case ACTIVE -> "ACTIVE";
            case ENDING -> "TERMINATING";
            case ENDED -> "TERMINATED";
            case ERROR -> "ERROR";
            case DELETING -> "DELETING";
        };
    }

    /** Returns the states that are shown with a status; none if there is no such status. */
    public static Set<LeaseStatus> statusesShownAs(String shown) {
        return Arrays.stream(LeaseStatus.values())
                .filter(status -> statusText(status).equals(shown))
                .collect(toUnmodifiableSet());
    }

    private Map<String, @Nullable Object> reservation(LeaseId lease, ReservationView reservation) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", reservation.id().toString());
        fields.put("lease_id", lease.toString());
        fields.put("resource_id", pluginRecordId(reservation.id()));
        fields.put("resource_type", reservation.kind().value());
        fields.put("status", statusText(reservation.status()));
        fields.put("missing_resources", reservation.lacksResources());
        fields.put("resources_changed", reservation.resourcesChanged());
        fields.put("created_at", BlazarTimes.formatSeconds(reservation.createdAt()));
        fields.put("updated_at", BlazarTimes.formatSeconds(reservation.updatedAt()));
        // The common fields of reservations have precedence over fields of a plug-in.
        parameters(reservation).forEach(fields::putIfAbsent);
        List<Map<String, @Nullable Object>> nested = nested(lease, reservation);
        if (!nested.isEmpty()) {
            fields.put("reservations", nested);
        }
        return fields;
    }

    /** Renders the parts of a reservation, which start and end with it and have its status. */
    private List<Map<String, @Nullable Object>> nested(LeaseId lease, ReservationView reservation) {
        return plugins.nested(requestOf(reservation), reservation.cloudIds()).stream()
                .map(
                        nested -> {
                            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
                            fields.put("id", nested.id().toString());
                            fields.put("lease_id", lease.toString());
                            fields.put("resource_type", nested.kind().value());
                            fields.put("name", nested.name());
                            fields.put("status", statusText(reservation.status()));
                            nested.fields().forEach(fields::putIfAbsent);
                            return fields;
                        })
                .toList();
    }

    private static ReservationWish requestOf(ReservationView reservation) {
        return new ReservationWish(reservation.id(), reservation.kind(), reservation.parameters());
    }

    private static Map<String, Object> cloudIds(ReservationView reservation) {
        return Objects.requireNonNullElse(reservation.cloudIds(), Map.of());
    }

    /**
     * Returns the fields that the plug-in of a reservation shows. If the plug-in is switched off,
     * it returns the requested parameters.
     */
    public Map<String, @Nullable Object> parameters(ReservationView reservation) {
        ReservationWish wish = requestOf(reservation);
        Map<String, @Nullable Object> fields =
                new LinkedHashMap<>(
                        plugins.find(reservation.kind())
                                .map(plugin -> plugin.planning().render(wish))
                                .orElse(wish.parameters()));
        fields.putAll(cloudIds(reservation));
        return fields;
    }

    /** Returns the plug-in's name of the resources that are short. */
    public String pluralOfShortResource(List<Shortage> shortages) {
        return shortages.stream()
                .findFirst()
                .flatMap(shortage -> plugins.find(shortage.kind()))
                .map(plugin -> plugin.planning().plural())
                .orElse("resources");
    }

    /** Returns an id for the record that Blazar's plug-ins store for each reservation. */
    private static String pluginRecordId(ReservationId reservation) {
        byte[] name = ("resource of " + reservation).getBytes(StandardCharsets.UTF_8);
        return UUID.nameUUIDFromBytes(name).toString();
    }

    private static String statusText(ReservationView.Status status) {
        return switch (status) {
            case PENDING -> "pending";
            case ACTIVE -> "active";
            case RELEASED, REMOVING -> "deleted";
            case ERROR, REMOVAL_FAILED -> "error";
        };
    }

    private static Map<String, @Nullable Object> event(LeaseId lease, ScheduledEventView event) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", event.id().toString());
        fields.put("lease_id", lease.toString());
        fields.put("event_type", event.type().name().toLowerCase(Locale.ROOT));
        fields.put("time", BlazarTimes.formatMicroseconds(event.time()));
        fields.put("status", event.status().name());
        fields.put("created_at", BlazarTimes.formatSeconds(event.createdAt()));
        fields.put("updated_at", BlazarTimes.formatSeconds(event.updatedAt()));
        return fields;
    }
}
