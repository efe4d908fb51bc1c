package org.leasehold.command.inventory;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** The state of a resource in its life. */
public sealed interface Resource {

    /** A resource that was never enrolled. */
    record Absent() implements Resource {}

    record InService(Description said) implements Resource {}

    record Disabled(Description said, String reason) implements Resource {}

    /** A resource that left the inventory; if it returns, it is enrolled under a new id. */
    record Retired() implements Resource {}

    /**
     * The description of a resource.
     *
     * @param region the region that the cloud reports; null where the cloud has none
     * @param zone the zone that the cloud reports; null where the cloud has none
     * @param attributes the other attributes that the cloud reports, as JSON values
     * @param capabilities the capabilities that the operator sets
     */
    record Description(
            @Nullable String region,
            @Nullable String zone,
            Map<String, @Nullable Object> attributes,
            Map<String, String> capabilities) {

        public Description {
            attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
            capabilities = Collections.unmodifiableMap(new TreeMap<>(capabilities));
        }

        private Description with(ResourceChanged change) {
            Map<String, String> changed = new TreeMap<>(capabilities);
            changed.putAll(change.set());
            changed.keySet().removeAll(change.removed());
            return new Description(region, zone, attributes, changed);
        }

        private Description with(ResourceDescribed news) {
            return new Description(news.region(), news.zone(), news.attributes(), capabilities);
        }
    }

    default Resource evolve(ResourceEvent event) {
        return switch (event) {
            case ResourceEnrolled enrolled -> evolve(enrolled);
            case ResourceChanged changed -> evolve(changed);
            case ResourceDescribed described -> evolve(described);
            case ResourceDisabled disabled -> evolve(disabled);
            case ResourceEnabled enabled -> evolve(enabled);
            case ResourceRetired retired -> evolve(retired);
        };
    }

    private Resource evolve(ResourceEnrolled event) {
        return switch (this) {
            case Absent _ ->
                    new InService(
                            new Description(
                                    event.region(),
                                    event.zone(),
                                    event.attributes(),
                                    event.capabilities()));
            case InService _, Disabled _, Retired _ ->
                    throw new CorruptResourceHistory(this, event);
        };
    }

    private Resource evolve(ResourceChanged event) {
        return switch (this) {
            case InService(Description said) -> new InService(said.with(event));
            case Disabled(Description said, String reason) ->
                    new Disabled(said.with(event), reason);
            case Absent _, Retired _ -> throw new CorruptResourceHistory(this, event);
        };
    }

    private Resource evolve(ResourceDescribed event) {
        return switch (this) {
            case InService(Description said) -> new InService(said.with(event));
            case Disabled(Description said, String reason) ->
                    new Disabled(said.with(event), reason);
            case Absent _, Retired _ -> throw new CorruptResourceHistory(this, event);
        };
    }

    private Resource evolve(ResourceDisabled event) {
        return switch (this) {
            case InService(Description said) -> new Disabled(said, event.reason());
            case Disabled(Description said, String _) -> new Disabled(said, event.reason());
            case Absent _, Retired _ -> throw new CorruptResourceHistory(this, event);
        };
    }

    private Resource evolve(ResourceEnabled event) {
        return switch (this) {
            case Disabled(Description said, String _) -> new InService(said);
            case Absent _, InService _, Retired _ -> throw new CorruptResourceHistory(this, event);
        };
    }

    private Resource evolve(ResourceRetired event) {
        return switch (this) {
            case InService _, Disabled _ -> new Retired();
            case Absent _, Retired _ -> throw new CorruptResourceHistory(this, event);
        };
    }
}
