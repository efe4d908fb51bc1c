package org.leasehold.gateway.api.audit;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.resource.ResourceResponses.Resource;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.PropertyRedaction;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.audit.AuditTrail.Entry;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.resource.PastInventory;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.wire.lease.LeaseDocuments.Lease;
import org.leasehold.wire.lease.PluginRendering;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.function.LongFunction;
import java.util.function.UnaryOperator;

/** The changes that events made to their subjects, in the form in which these are shown. */
public final class EventDiffs {

    private final Leases leases;
    private final PastInventory inventory;
    private final PropertyRedaction propertyRedaction;
    private final PluginRendering plugins;
    private final JsonMapper json;

    public EventDiffs(
            Leases leases,
            PastInventory inventory,
            PropertyRedaction hidden,
            PluginRendering plugins,
            JsonMapper json) {
        this.leases = leases;
        this.inventory = inventory;
        this.propertyRedaction = hidden;
        this.plugins = plugins;
        this.json = json;
    }

    /** Returns the changes of an event that a caller may see. */
    JsonDiff diff(Entry entry, Caller caller) {
        LongFunction<@Nullable Object> shown = stateLookup(entry, caller);
        return JsonDiff.between(
                toTree(shown.apply(entry.position() - 1)), toTree(shown.apply(entry.position())));
    }

    private @Nullable JsonNode toTree(@Nullable Object shown) {
        return shown == null ? null : json.valueToTree(shown);
    }

    /**
     * Returns the form in which the subject was shown when the event at a position was the last
     * one.
     */
    private LongFunction<@Nullable Object> stateLookup(Entry entry, Caller caller) {
        String stream = entry.stream();
        return switch (entry.streamType()) {
            case "Lease" -> leaseLookup(LeaseId.of(stream));
            case "Resource" -> resourceLookup(new ResourceId(Long.parseLong(stream)), caller);
            case "Property" -> visibilityLookup(stream);
            // The event itself has the observed use of a lease, which is shown nowhere else.
            default -> _ -> null;
        };
    }

    private LongFunction<@Nullable Object> leaseLookup(LeaseId id) {
        return asOf ->
                leases.find(id, null, asOf).map(view -> Lease.of(view, plugins)).orElse(null);
    }

    private LongFunction<@Nullable Object> resourceLookup(ResourceId id, Caller caller) {
        UnaryOperator<ResourceView> seen = propertyRedaction.forResources(caller);
        return asOf -> inventory.resource(id, asOf).map(seen).map(Resource::of).orElse(null);
    }

    /** Returns the visibility of a property, the only thing that its events change. */
    private LongFunction<@Nullable Object> visibilityLookup(String stream) {
        int slash = stream.indexOf('/');
        ResourceKind kind = new ResourceKind(stream.substring(0, slash));
        String name = stream.substring(slash + 1);
        return asOf -> inventory.visibility(kind, name, asOf);
    }
}
