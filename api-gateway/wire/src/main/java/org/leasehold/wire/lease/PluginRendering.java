package org.leasehold.wire.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.resource.Planning.Nested;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.stack.HiddenParameters;

import java.util.List;
import java.util.Map;

/** The parts of documents that plug-ins define. */
public final class PluginRendering {

    private final Plugins plugins;

    public PluginRendering(Plugins plugins) {
        this.plugins = plugins;
    }

    /** Returns the kinds that can be leased. */
    public List<ResourceKind> kinds() {
        return plugins.kinds().stream().map(ResourceKind::new).toList();
    }

    /** Redacts parameters with all plug-ins: an event does not always give their kind. */
    public Map<String, @Nullable Object> redactParameters(
            Map<String, @Nullable Object> parameters) {
        // Also if stacks are switched off by now: parameters of older events stay hidden.
        Map<String, @Nullable Object> redacted = HiddenParameters.mask(parameters);
        for (ResourceKind kind : kinds()) {
            redacted = plugins.find(kind).orElseThrow().planning().redact(redacted);
        }
        return redacted;
    }

    /** Returns the parts of a reservation. */
    List<Nested> nested(ReservationView view) {
        return plugins.nested(
                new ReservationWish(view.id(), view.kind(), view.parameters()), view.cloudIds());
    }
}
