package org.leasehold.command.inventory;

import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Where a resource is in its life. */
sealed interface Resource {

    /** It was never enrolled. */
    record Absent() implements Resource {}

    record InService(Traits traits) implements Resource {}

    record Disabled(Traits traits, String reason) implements Resource {}

    /** It left the inventory; a resource that returns is enrolled under a new id. */
    record Retired() implements Resource {}

    /**
     * What is said of a resource.
     *
     * @param attributes the names of what the cloud says of it
     * @param capabilities what the operator says of it
     */
    record Traits(Set<String> attributes, Map<String, String> capabilities) {

        public Traits {
            attributes = Collections.unmodifiableSet(new TreeSet<>(attributes));
            capabilities = Collections.unmodifiableMap(new TreeMap<>(capabilities));
        }

        private Traits with(ResourceChanged change) {
            Map<String, String> changed = new TreeMap<>(capabilities);
            changed.putAll(change.set());
            changed.keySet().removeAll(change.removed());
            return new Traits(attributes, changed);
        }
    }

    default Resource evolve(ResourceEvent event) {
        return switch (event) {
            case ResourceEnrolled enrolled -> evolve(enrolled);
            case ResourceChanged changed -> evolve(changed);
            case ResourceDisabled disabled -> evolve(disabled);
            case ResourceEnabled enabled -> evolve(enabled);
            case ResourceRetired retired -> evolve(retired);
        };
    }

    private Resource evolve(ResourceEnrolled event) {
        return switch (this) {
            case Absent _ ->
                    new InService(new Traits(event.attributes().keySet(), event.capabilities()));
            case InService _, Disabled _, Retired _ -> throw new CorruptHistory(this, event);
        };
    }

    private Resource evolve(ResourceChanged event) {
        return switch (this) {
            case InService(Traits traits) -> new InService(traits.with(event));
            case Disabled(Traits traits, String reason) -> new Disabled(traits.with(event), reason);
            case Absent _, Retired _ -> throw new CorruptHistory(this, event);
        };
    }

    private Resource evolve(ResourceDisabled event) {
        return switch (this) {
            case InService(Traits traits) -> new Disabled(traits, event.reason());
            case Disabled(Traits traits, String _) -> new Disabled(traits, event.reason());
            case Absent _, Retired _ -> throw new CorruptHistory(this, event);
        };
    }

    private Resource evolve(ResourceEnabled event) {
        return switch (this) {
            case Disabled(Traits traits, String _) -> new InService(traits);
            case Absent _, InService _, Retired _ -> throw new CorruptHistory(this, event);
        };
    }

    private Resource evolve(ResourceRetired event) {
        return switch (this) {
            case InService _, Disabled _ -> new Retired();
            case Absent _, Retired _ -> throw new CorruptHistory(this, event);
        };
    }
}
