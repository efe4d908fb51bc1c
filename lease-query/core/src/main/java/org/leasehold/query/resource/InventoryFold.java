package org.leasehold.query.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.resource.ResourceView;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The inventory after each of its events. All of it is held in memory: it is as large as the fleet,
 * whatever the length of the history.
 */
final class InventoryFold {

    private final Map<ResourceId, ResourceRow> resources = new LinkedHashMap<>();
    private final Map<UUID, PropertyRow> properties = new LinkedHashMap<>();

    void apply(RecordedEvent recorded) {
        Instant at = recorded.decidedAt().truncatedTo(ChronoUnit.MICROS);
        switch (recorded.event()) {
            case ResourceEvent event -> apply(event, at);
            case PropertyVisibility visibility -> apply(visibility, at);
            default -> {
                // Not of the inventory.
            }
        }
    }

    private void apply(ResourceEvent event, Instant at) {
        ResourceRow before = resources.get(event.resourceId());
        ResourceRow after =
                switch (event) {
                    case ResourceEnrolled enrolled -> ResourceRow.of(enrolled, at);
                    case ResourceChanged changed -> requirePresent(before, event).with(changed, at);
                    case ResourceDescribed described ->
                            requirePresent(before, event).with(described, at);
                    case ResourceDisabled(var _, String reason, var _, var _) ->
                            requirePresent(before, event).withState("DISABLED", reason, at);
                    case ResourceEnabled _ ->
                            requirePresent(before, event).withState("ENROLLED", null, at);
                    case ResourceRetired _ ->
                            requirePresent(before, event).withState("RETIRED", null, at);
                };
        resources.put(event.resourceId(), after);
        if (event instanceof ResourceEnrolled enrolled) {
            addProperties(enrolled.kind(), enrolled.capabilities().keySet(), at);
        } else if (event instanceof ResourceChanged changed) {
            addProperties(after.kind(), changed.set().keySet(), at);
        }
    }

    private static ResourceRow requirePresent(@Nullable ResourceRow before, ResourceEvent event) {
        if (before == null) {
            throw new IllegalStateException("there is no resource before " + event);
        }
        return before;
    }

    /** Creates properties with the first resource that has them. */
    private void addProperties(ResourceKind kind, Collection<String> names, Instant at) {
        for (String name : names) {
            properties.putIfAbsent(
                    propertyId(kind, name), new PropertyRow(kind, name, false, at, null));
        }
    }

    private void apply(PropertyVisibility event, Instant at) {
        UUID id = propertyId(event.kind(), event.property());
        PropertyRow before = properties.get(id);
        Instant createdAt = before == null ? at : before.createdAt();
        properties.put(
                id, new PropertyRow(event.kind(), event.property(), event.hidden(), createdAt, at));
    }

    private static UUID propertyId(ResourceKind kind, String name) {
        return UUID.nameUUIDFromBytes((kind + "/" + name).getBytes(StandardCharsets.UTF_8));
    }

    Map<ResourceId, ResourceRow> resources() {
        return resources;
    }

    Map<UUID, PropertyRow> properties() {
        return properties;
    }

    /** A row of the table {@code resource}. */
    record ResourceRow(
            ResourceKind kind,
            String name,
            @Nullable String region,
            @Nullable String zone,
            String state,
            @Nullable String disabledReason,
            Map<String, @Nullable Object> attributes,
            Map<String, String> capabilities,
            Instant createdAt,
            @Nullable Instant updatedAt) {

        private static ResourceRow of(ResourceEnrolled event, Instant at) {
            return new ResourceRow(
                    event.kind(),
                    event.name(),
                    event.region(),
                    event.zone(),
                    "ENROLLED",
                    null,
                    event.attributes(),
                    event.capabilities(),
                    at,
                    null);
        }

        /** Returns the view of a resource that is not retired. */
        ResourceView view(ResourceId id) {
            return new ResourceView(
                    id,
                    kind,
                    name,
                    region,
                    zone,
                    state.equals("ENROLLED"),
                    disabledReason,
                    attributes,
                    capabilities,
                    createdAt,
                    updatedAt);
        }

        private ResourceRow with(ResourceChanged change, Instant at) {
            Map<String, String> changed = new TreeMap<>(capabilities);
            changed.putAll(change.set());
            changed.keySet().removeAll(change.removed());
            return row(state, disabledReason, changed, at);
        }

        private ResourceRow with(ResourceDescribed news, Instant at) {
            return new ResourceRow(
                    kind,
                    name,
                    news.region(),
                    news.zone(),
                    state,
                    disabledReason,
                    news.attributes(),
                    capabilities,
                    createdAt,
                    at);
        }

        private ResourceRow withState(String newState, @Nullable String reason, Instant at) {
            return row(newState, reason, capabilities, at);
        }

        private ResourceRow row(
                String newState,
                @Nullable String reason,
                Map<String, String> newCapabilities,
                Instant at) {
            return new ResourceRow(
                    kind,
                    name,
                    region,
                    zone,
                    newState,
                    reason,
                    attributes,
                    newCapabilities,
                    createdAt,
                    at);
        }
    }

    /** A row of the table {@code resource_property}. */
    record PropertyRow(
            ResourceKind kind,
            String name,
            boolean hidden,
            Instant createdAt,
            @Nullable Instant updatedAt) {}
}
