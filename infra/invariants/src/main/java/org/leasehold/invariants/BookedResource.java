package org.leasehold.invariants;

import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceKind;

import java.util.Map;
import java.util.TreeMap;

/** A resource as it is at this point of the history. */
public final class BookedResource {

    private final ResourceKind kind;
    private final String name;
    private final Map<String, String> properties = new TreeMap<>();
    private boolean enabled = true;

    BookedResource(ResourceEnrolled event) {
        kind = event.kind();
        name = event.name();
        properties.put("name", name);
        event.attributes()
                .forEach(
                        (key, value) -> {
                            if (value != null) {
                                properties.put(key, value.toString());
                            }
                        });
        properties.putAll(event.capabilities());
    }

    void change(ResourceChanged event) {
        event.removed().forEach(properties::remove);
        properties.putAll(event.set());
    }

    void serve(boolean serves) {
        enabled = serves;
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
        return requirement.isMetBy(properties);
    }
}
