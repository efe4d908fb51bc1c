package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The cloud's description of a stack.
 *
 * @param name the stack's name; empty if it does not exist yet
 * @param parts its resources that need something from the calendar
 * @param promised what the calendar holds beyond the needs of the parts, by place; empty for
 *     nothing
 */
record StackDescription(String name, List<StackComponent> parts, List<CapacityNeed> promised) {

    private static final String NAME = "name";
    private static final String PARTS = "parts";
    private static final String PROMISED = "promised";

    /** Returns what the calendar must hold: never less than it holds already. */
    List<CapacityNeed> needs() {
        List<CapacityNeed> needs = CapacityNeed.of(parts);
        return promised.isEmpty() ? needs : CapacityNeed.max(promised, needs);
    }

    Map<String, @Nullable Object> attributes() {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        attributes.put(NAME, name);
        attributes.put(PARTS, parts.stream().map(StackComponent::attributes).toList());
        attributes.put(PROMISED, promised.stream().map(CapacityNeed::attributes).toList());
        return attributes;
    }

    /** Reads the result of {@link #attributes()}. */
    static Optional<StackDescription> of(@Nullable Object attributes) {
        if (!(attributes instanceof Map<?, ?> fields
                && fields.get(NAME) instanceof String name
                && fields.get(PARTS) instanceof List<?> parts
                && fields.get(PROMISED) instanceof List<?> promised)) {
            return Optional.empty();
        }
        return Optional.of(
                new StackDescription(
                        name,
                        new ArrayList<>(parts).stream().flatMap(StackDescription::part).toList(),
                        new ArrayList<>(promised)
                                .stream().flatMap(StackDescription::need).toList()));
    }

    private static Stream<StackComponent> part(@Nullable Object attributes) {
        return StackComponent.of(attributes).stream();
    }

    private static Stream<CapacityNeed> need(@Nullable Object attributes) {
        return CapacityNeed.of(attributes).stream();
    }
}
