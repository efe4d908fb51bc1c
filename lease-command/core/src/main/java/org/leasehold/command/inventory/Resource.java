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

/** Where a resource is in its life. */
public sealed interface Resource {

    /** It was never enrolled. */
    record Absent() implements Resource {}

    record InService(Description said) implements Resource {}

    record Disabled(Description said, String reason) implements Resource {}

    /** It left the inventory; a resource that returns is enrolled under a new id. */
    record Retired() implements Resource {}

    /**
     * What is said of a resource.
     *
     * @param region where the cloud says that it is; null where the cloud has none
     * @param zone likewise
     * @param attributes what else the cloud says of it, as JSON values
     * @param capabilities what the operator says of it
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
            case InService _, Disabled _, Retired _ -> throw new CorruptHistory(this, event);
        };
    }

    private Resource evolve(ResourceChanged event) {
        return switch (this) {
            case InService(Description said) -> new InService(said.with(event));
            case Disabled(Description said, String reason) ->
                    new Disabled(said.with(event), reason);
            case Absent _, Retired _ -> throw new CorruptHistory(this, event);
        };
    }

    private Resource evolve(ResourceDescribed event) {
        return switch (this) {
            case InService(Description said) -> new InService(said.with(event));
            case Disabled(Description said, String reason) ->
                    new Disabled(said.with(event), reason);
            case Absent _, Retired _ -> throw new CorruptHistory(this, event);
        };
    }

    private Resource evolve(ResourceDisabled event) {
        return switch (this) {
            case InService(Description said) -> new Disabled(said, event.reason());
            case Disabled(Description said, String _) -> new Disabled(said, event.reason());
            case Absent _, Retired _ -> throw new CorruptHistory(this, event);
        };
    }

    private Resource evolve(ResourceEnabled event) {
        return switch (this) {
            case Disabled(Description said, String _) -> new InService(said);
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
