package org.leasehold.invariants;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.BuiltInProperties;
import org.leasehold.inventory.OutageExtent;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;

import java.util.Map;
import java.util.TreeMap;

/** The state that a resource must have at this point of the history. */
public final class ExpectedResourceState {

    private final ResourceKind kind;
    private final ResourceId id;
    private final String name;
    private @Nullable String region;
    private @Nullable String zone;
    private final Map<String, String> attributes = new TreeMap<>();
    private final Map<String, String> capabilities = new TreeMap<>();
    private boolean enabled = true;
    private boolean down;

    ExpectedResourceState(ResourceEnrolled event) {
        kind = event.kind();
        id = event.resourceId();
        name = event.name();
        region = event.region();
        zone = event.zone();
        describe(event.attributes());
        capabilities.putAll(event.capabilities());
    }

    private void describe(Map<String, @Nullable Object> said) {
        attributes.clear();
        said.forEach(
                (key, value) -> {
                    if (value != null) {
                        attributes.put(key, value.toString());
                    }
                });
    }

    void change(ResourceChanged event) {
        event.removed().forEach(capabilities::remove);
        capabilities.putAll(event.set());
    }

    void change(ResourceDescribed event) {
        region = event.region();
        zone = event.zone();
        describe(event.attributes());
    }

    /** Disables the resource. An operator does not know if it is down. */
    void disable(ResourceDisabled event) {
        enabled = false;
        if (event.extent() != null) {
            down = event.extent() == OutageExtent.DOWN;
        }
    }

    void enable() {
        enabled = true;
        down = false;
    }

    boolean isDown() {
        return down;
    }

    public String name() {
        return name;
    }

    ResourceKind kind() {
        return kind;
    }

    boolean isEnabled() {
        return enabled;
    }

    boolean meets(Requirement requirement) {
        Map<String, String> properties = BuiltInProperties.of(kind, id, name, region, zone);
        properties.putAll(attributes);
        properties.putAll(capabilities);
        return requirement.isMetBy(properties);
    }
}
