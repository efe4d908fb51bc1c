package org.leasehold.gateway.security;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.PropertyName;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Charge.Reason;
import org.leasehold.readmodel.usage.Charge.Use;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
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

    /** Returns a function that removes hidden properties from resources. */
    public UnaryOperator<ResourceView> forResources(Caller caller) {
        if (caller.hasRole(Role.ADMIN)) {
            return UnaryOperator.identity();
        }
        Function<ResourceKind, Set<String>> hidden = cachedHiddenProperties();
        return resource -> redact(hidden.apply(resource.kind()), resource);
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
        return name -> isHidden(hidden, name);
    }

    /**
     * Returns a function that removes hidden properties from the fields of resources' events. Not
     * every event names the kind of its resource: a name hidden for one kind is hidden for all.
     */
    public UnaryOperator<Map<String, @Nullable Object>> forEvents(
            Caller caller, Collection<ResourceKind> kinds) {
        if (caller.hasRole(Role.ADMIN)) {
            return UnaryOperator.identity();
        }
        Set<String> hidden = new HashSet<>();
        kinds.forEach(kind -> hidden.addAll(resources.hiddenProperties(kind)));
        return details -> redact(hidden, details);
    }

    private static Map<String, @Nullable Object> redact(
            Set<String> hidden, Map<String, @Nullable Object> details) {
        Map<String, @Nullable Object> redacted = new LinkedHashMap<>();
        details.forEach(
                (field, value) -> {
                    switch (field) {
                        case "capabilities", "set", "removed" ->
                                redacted.put(field, redact(hidden, value));
                        case "property" -> {
                            if (!isHidden(hidden, value)) {
                                redacted.put(field, value);
                            }
                        }
                        default -> redacted.put(field, value);
                    }
                });
        return redacted;
    }

    private static @Nullable Object redact(Set<String> hidden, @Nullable Object named) {
        return switch (named) {
            case Map<?, ?> values -> {
                Map<Object, @Nullable Object> redacted = new LinkedHashMap<>(values);
                redacted.keySet().removeIf(name -> isHidden(hidden, name));
                yield redacted;
            }
            case List<?> names -> names.stream().filter(name -> !isHidden(hidden, name)).toList();
            case null, default -> named;
        };
    }

    /** Hides the free part of a hidden property, too: it would show how much there is. */
    private static boolean isHidden(Set<String> hidden, @Nullable Object name) {
        return name instanceof String text
                && (hidden.contains(PropertyName.withoutScope(text))
                        || hidden.contains(
                                PropertyName.withoutFreePrefix(PropertyName.withoutScope(text))));
    }

    private static Charge redact(Function<ResourceKind, Set<String>> hidden, Charge charge) {
        Use use = charge.use();
        return use != null
                        && charge.reason() instanceof Reason.Property property
                        && isHidden(hidden.apply(use.kind()), property.name())
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
