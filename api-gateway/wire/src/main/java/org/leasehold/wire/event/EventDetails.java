package org.leasehold.wire.event;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The own fields of events, without secrets. */
public final class EventDetails {

    private EventDetails() {}

    /**
     * Redacts an event's own fields.
     *
     * @param inventoryToo whether to include properties of resources, some of which are hidden
     * @param redactor redacts parameters
     */
    public static Map<String, @Nullable Object> redact(
            Map<String, @Nullable Object> all,
            boolean inventoryToo,
            UnaryOperator<Map<String, @Nullable Object>> redactor) {
        Map<String, @Nullable Object> details = withoutSecrets(all, redactor);
        return inventoryToo ? details : withoutInventory(details);
    }

    private static Map<String, @Nullable Object> withoutSecrets(
            Map<String, @Nullable Object> details,
            UnaryOperator<Map<String, @Nullable Object>> redactor) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        details.forEach((name, value) -> all.put(name, withoutSecrets(name, value, redactor)));
        return all;
    }

    @SuppressWarnings("unchecked")
    private static @Nullable Object withoutSecrets(
            String name,
            @Nullable Object value,
            UnaryOperator<Map<String, @Nullable Object>> redactor) {
        return switch (value) {
            case Map<?, ?> fields when name.equals("parameters") ->
                    redactor.apply((Map<String, @Nullable Object>) fields);
            case Map<?, ?> fields ->
                    withoutSecrets((Map<String, @Nullable Object>) fields, redactor);
            case List<?> items ->
                    items.stream().map(item -> withoutSecrets(name, item, redactor)).toList();
            case null, default -> value;
        };
    }

    private static Map<String, @Nullable Object> withoutInventory(Map<?, ?> details) {
        Map<String, @Nullable Object> visible = new LinkedHashMap<>();
        details.forEach(
                (name, value) -> {
                    if (!(name.equals("properties") && details.containsKey("resource"))) {
                        visible.put(String.valueOf(name), withoutInventory(value));
                    }
                });
        return visible;
    }

    private static @Nullable Object withoutInventory(@Nullable Object value) {
        return switch (value) {
            case Map<?, ?> fields -> withoutInventory(fields);
            case List<?> items -> items.stream().map(EventDetails::withoutInventory).toList();
            case null, default -> value;
        };
    }
}
