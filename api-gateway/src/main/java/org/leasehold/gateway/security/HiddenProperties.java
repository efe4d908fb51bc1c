package org.leasehold.gateway.security;

import org.leasehold.inventory.PropertyName;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.ResourceView;
import org.leasehold.query.Resources;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Keeps properties that are for administrators only from everybody else who looks at resources. */
public final class HiddenProperties {

    private final Resources resources;

    HiddenProperties(Resources resources) {
        this.resources = resources;
    }

    /** Resources as a caller may see them. */
    public UnaryOperator<ResourceView> asSeenBy(Caller caller) {
        if (caller.is(Role.ADMIN)) {
            return UnaryOperator.identity();
        }
        Map<ResourceKind, Set<String>> hidden = new HashMap<>();
        return resource ->
                without(
                        hidden.computeIfAbsent(resource.kind(), resources::hiddenProperties),
                        resource);
    }

    private static ResourceView without(Set<String> hidden, ResourceView resource) {
        Map<String, String> capabilities = new TreeMap<>(resource.capabilities());
        return capabilities.keySet().removeIf(name -> hidden.contains(PropertyName.plain(name)))
                ? resource.with(capabilities)
                : resource;
    }
}
