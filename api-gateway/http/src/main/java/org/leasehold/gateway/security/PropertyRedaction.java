package org.leasehold.gateway.security;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.PropertyName;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Charge.Reason;
import org.leasehold.readmodel.usage.Charge.Use;
import org.leasehold.wire.event.HiddenProperties;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Hides the properties that only administrators may see from all other callers. */
public final class PropertyRedaction {

    private final Resources resources;

    public PropertyRedaction(Resources resources) {
        this.resources = resources;
    }

    /**
     * Returns a function that removes hidden properties from resources. For callers who neither
     * plan nor audit, it also removes what the operator wrote, and when.
     */
    public UnaryOperator<ResourceView> forResources(Caller caller) {
        if (caller.hasRole(Role.ADMIN)) {
            return UnaryOperator.identity();
        }
        Function<ResourceKind, Set<String>> hidden = cachedHiddenProperties();
        boolean seesOperations = caller.hasRole(Role.PLANNER) || caller.hasRole(Role.AUDITOR);
        return resource -> {
            Set<String> names = hidden.apply(resource.kind());
            ResourceView seen = redact(names, resource);
            return seesOperations ? seen : withoutOperations(new HiddenProperties(names), seen);
        };
    }

    /** Removes the time of the last change, too: a change may be of a hidden property. */
    private static ResourceView withoutOperations(HiddenProperties hidden, ResourceView resource) {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(resource.attributes());
        attributes.keySet().removeIf(hidden::contains);
        Map<String, String> capabilities = new TreeMap<>(resource.capabilities());
        capabilities.keySet().removeIf(hidden::contains);
        return new ResourceView(
                resource.id(),
                resource.kind(),
                resource.name(),
                resource.region(),
                resource.zone(),
                resource.reservable(),
                null,
                attributes,
                capabilities,
                resource.createdAt(),
                null);
    }

    /** Returns a function that hides from charges which hidden property has a price. */
    public UnaryOperator<Charge> forCharges(Caller caller) {
        if (caller.hasRole(Role.ADMIN)) {
            return UnaryOperator.identity();
        }
        Function<ResourceKind, Set<String>> hidden = cachedHiddenProperties();
        return charge -> redact(hidden, charge);
    }

    private Function<ResourceKind, Set<String>> cachedHiddenProperties() {
        Map<ResourceKind, Set<String>> hidden = new HashMap<>();
        return kind -> hidden.computeIfAbsent(kind, resources::hiddenProperties);
    }

    /** Returns a predicate for the properties of resources that are hidden from a caller. */
    Predicate<String> hiddenFrom(Caller caller, ResourceKind kind) {
        if (caller.hasRole(Role.ADMIN)) {
            return _ -> false;
        }
        Set<String> hidden = resources.hiddenProperties(kind);
        return new HiddenProperties(hidden)::contains;
    }

    private static Charge redact(Function<ResourceKind, Set<String>> hidden, Charge charge) {
        Use use = charge.use();
        return use != null
                        && charge.reason() instanceof Reason.Property property
                        && new HiddenProperties(hidden.apply(use.kind())).contains(property.name())
                ? charge.withReason(new Reason.HiddenProperty())
                : charge;
    }

    private static ResourceView redact(Set<String> hidden, ResourceView resource) {
        Map<String, String> capabilities = new TreeMap<>(resource.capabilities());
        return capabilities
                        .keySet()
                        .removeIf(name -> hidden.contains(PropertyName.withoutScope(name)))
                ? resource.with(capabilities)
                : resource;
    }
}
