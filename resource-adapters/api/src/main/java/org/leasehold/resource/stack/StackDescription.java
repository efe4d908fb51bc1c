package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The cloud's description of a stack.
 *
 * @param name the stack's name; empty if it does not exist yet
 * @param parts its resources that need something from the calendar
 * @param promised all that the calendar holds at least until the cloud confirms the last change, by
 *     location; empty for the needs of the parts
 * @param kept the needs of resources that the stack had, and that the cloud keeps beside it, by
 *     location
 * @param dropping the resources that the last change removes, and that the cloud keeps beside the
 *     stack once it confirms that; empty after the confirmation
 * @param keeping the names of the parts that the cloud may still keep if it removes them, because
 *     it has yet to confirm another deletion policy; empty after the confirmation
 */
record StackDescription(
        String name,
        List<StackComponent> parts,
        List<CapacityNeed> promised,
        List<CapacityNeed> kept,
        List<StackComponent> dropping,
        List<String> keeping) {

    private static final String NAME = "name";
    private static final String PARTS = "parts";
    private static final String PROMISED = "promised";
    private static final String KEPT = "kept";
    private static final String DROPPING = "dropping";
    private static final String KEEPING = "keeping";

    StackDescription {
        parts = List.copyOf(parts);
        promised = List.copyOf(promised);
        kept = List.copyOf(kept);
        dropping = List.copyOf(dropping);
        keeping = List.copyOf(keeping);
    }

    /** Creates the description of a stack with these resources only. */
    StackDescription(String name, List<StackComponent> parts) {
        this(name, parts, List.of(), List.of(), List.of(), List.of());
    }

    /** Returns what the calendar must hold: never less than it holds already. */
    List<CapacityNeed> needs() {
        List<CapacityNeed> lasting = lastingNeeds();
        return promised.isEmpty() ? lasting : CapacityNeed.max(promised, lasting);
    }

    /** Returns the needs that remain when the cloud has confirmed the last change. */
    private List<CapacityNeed> lastingNeeds() {
        List<CapacityNeed> needs = new ArrayList<>(CapacityNeed.of(parts));
        needs.addAll(keptOnceConfirmed());
        return CapacityNeed.sum(needs);
    }

    /** Returns the needs beside the stack when the cloud has confirmed the last change. */
    private List<CapacityNeed> keptOnceConfirmed() {
        List<CapacityNeed> needs = new ArrayList<>(kept);
        dropping.stream().map(StackComponent::need).forEach(needs::add);
        return needs.isEmpty() ? List.of() : CapacityNeed.sum(needs);
    }

    /**
     * Returns the description of a running stack that changes to these resources. A resource that
     * an unconfirmed change removed, and that this one has again, counts twice: the cloud may have
     * both.
     *
     * @param changed the stack after the change
     * @param dropped the resources that it loses and that the cloud keeps beside it
     * @param stillKept the names of resources whose new deletion policy the cloud may not have
     * @param additions the needs beside the present ones, until the cloud confirms the change
     */
    StackDescription changedTo(
            StackDescription changed,
            List<StackComponent> dropped,
            List<String> stillKept,
            List<CapacityNeed> additions) {
        List<StackComponent> leaving = new ArrayList<>(dropping);
        leaving.addAll(dropped);
        StackDescription next =
                new StackDescription(
                        changed.name, changed.parts, List.of(), kept, leaving, stillKept);
        List<CapacityNeed> all = new ArrayList<>(needs());
        all.addAll(additions);
        // In the order of the needs that remain.
        List<CapacityNeed> both = CapacityNeed.max(CapacityNeed.sum(all), next.needs());
        return both.equals(next.needs()) ? next.promisingKept() : next.withPromise(both);
    }

    /**
     * Returns the description of a stack whose last change the cloud has confirmed; empty if the
     * confirmation changes nothing.
     */
    Optional<StackDescription> confirmed() {
        List<CapacityNeed> needs = needs();
        StackDescription next =
                new StackDescription(
                        name, parts, List.of(), keptOnceConfirmed(), List.of(), List.of());
        // A reservation has a claim somewhere, and cannot get another one now.
        StackDescription lasting =
                next.parts.isEmpty() && next.kept.isEmpty()
                        ? next.withPromise(List.of(needs.getFirst().emptied()))
                        : next.promisingKept();
        return Optional.of(lasting)
                .filter(
                        _ ->
                                !dropping.isEmpty()
                                        || !keeping.isEmpty()
                                        || !Set.copyOf(lasting.needs()).equals(Set.copyOf(needs)));
    }

    /**
     * Repeats what the cloud keeps as a promise: a node of the previous version reads only that.
     */
    private StackDescription promisingKept() {
        return kept.isEmpty() && dropping.isEmpty() ? this : withPromise(needs());
    }

    private StackDescription withPromise(List<CapacityNeed> needs) {
        return new StackDescription(name, parts, needs, kept, dropping, keeping);
    }

    Map<String, @Nullable Object> attributes() {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        attributes.put(NAME, name);
        attributes.put(PARTS, parts.stream().map(StackComponent::attributes).toList());
        attributes.put(PROMISED, promised.stream().map(CapacityNeed::attributes).toList());
        if (!promised.isEmpty()) {
            // Without a promise, nothing is kept.
            attributes.put(KEPT, kept.stream().map(CapacityNeed::attributes).toList());
        }
        if (!dropping.isEmpty()) {
            attributes.put(DROPPING, dropping.stream().map(StackComponent::attributes).toList());
        }
        if (!keeping.isEmpty()) {
            attributes.put(KEEPING, keeping);
        }
        return attributes;
    }

    /** Reads the result of {@link #attributes()}. */
    static Optional<StackDescription> of(@Nullable Object attributes) {
        if (!(attributes instanceof Map<?, ?> fields
                && fields.get(NAME) instanceof String name
                && fields.get(PARTS) instanceof List<?> partFields
                && fields.get(PROMISED) instanceof List<?> promisedFields)) {
            return Optional.empty();
        }
        List<StackComponent> parts = parts(partFields);
        List<CapacityNeed> promised = needs(promisedFields);
        return Optional.of(
                new StackDescription(
                        name,
                        parts,
                        promised,
                        fields.get(KEPT) instanceof List<?> kept
                                ? needs(kept)
                                // Stored by an earlier version: the cloud may keep any of it.
                                : CapacityNeed.excess(promised, CapacityNeed.of(parts)),
                        fields.get(DROPPING) instanceof List<?> dropping
                                ? parts(dropping)
                                : List.of(),
                        fields.get(KEEPING) instanceof List<?> keeping
                                ? new ArrayList<>(keeping).stream().map(String::valueOf).toList()
                                : List.of()));
    }

    private static List<StackComponent> parts(List<?> attributes) {
        return new ArrayList<>(attributes)
                .stream().flatMap(each -> StackComponent.of(each).stream()).toList();
    }

    private static List<CapacityNeed> needs(List<?> attributes) {
        return new ArrayList<>(attributes)
                .stream().flatMap(each -> CapacityNeed.of(each).stream()).toList();
    }
}
