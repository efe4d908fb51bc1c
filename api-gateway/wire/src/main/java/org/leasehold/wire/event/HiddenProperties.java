package org.leasehold.wire.event;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.PropertyName;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The properties of resources that only administrators may see. */
public record HiddenProperties(Set<String> names) {

    /**
     * Removes hidden properties from the fields of a resource's event. Not every event names the
     * kind of its resource: a name hidden for one kind is hidden for all.
     */
    Map<String, @Nullable Object> removeFrom(Map<String, @Nullable Object> details) {
        Map<String, @Nullable Object> redacted = new LinkedHashMap<>();
        details.forEach(
                (field, value) -> {
                    switch (field) {
                        case "capabilities", "set", "removed" ->
                                redacted.put(field, removeFrom(value));
                        case "property" -> {
                            if (!contains(value)) {
                                redacted.put(field, value);
                            }
                        }
                        default -> redacted.put(field, value);
                    }
                });
        return redacted;
    }

    private @Nullable Object removeFrom(@Nullable Object named) {
        return switch (named) {
            case Map<?, ?> values -> {
                Map<Object, @Nullable Object> redacted = new LinkedHashMap<>(values);
                redacted.keySet().removeIf(this::contains);
                yield redacted;
            }
            case List<?> items -> items.stream().filter(item -> !contains(item)).toList();
            case null, default -> named;
        };
    }

    /** Contains the free part of a hidden property, too: it would show how much there is. */
    public boolean contains(@Nullable Object name) {
        return name instanceof String text
                && (names.contains(PropertyName.withoutScope(text))
                        || names.contains(
                                PropertyName.withoutFreePrefix(PropertyName.withoutScope(text))));
    }
}
