package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Demand.Spread;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.resource.volume.VolumeType;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongBinaryOperator;

/**
 * The needs of a stack at one location.
 *
 * @param kind the kind of the resources
 * @param location an availability zone, a volume type or a network; empty for any zone
 * @param amounts by resource class
 */
record CapacityNeed(ResourceKind kind, String location, Map<String, Long> amounts) {

    private static final String KIND = "kind";

    /** The name in stored requests. */
    private static final String STORED_LOCATION = "place";

    /** The property of a location that no kind names. */
    private static final String OTHER_LOCATION = "place";

    private static final String NEEDS = "needs";

    private static final Map<ResourceKind, String> PROPERTIES =
            Map.of(
                    ResourceKind.SERVER, ComputeCapacity.ZONE,
                    ResourceKind.VOLUME, VolumeType.NAME,
                    ResourceKind.STACK, AddressPool.NETWORK);

    /** A need that takes no room, in any zone: a stack needs a claim in the calendar to start. */
    private static final CapacityNeed NO_CAPACITY =
            new CapacityNeed(ResourceKind.SERVER, "", Map.of("VCPU", 0L));

    CapacityNeed {
        amounts = Collections.unmodifiableMap(new TreeMap<>(amounts));
    }

    /**
     * Returns the sum of the needs of parts, one for each location. Servers that name no zone count
     * with the first zone that another server names. If none does, all of them must fit into one.
     */
    static List<CapacityNeed> of(List<StackComponent> parts) {
        return sum(located(parts).stream().map(StackComponent::need).toList());
    }

    /** Returns the parts in the zones where they are counted. */
    static List<StackComponent> located(List<StackComponent> parts) {
        String zone = zone(parts).orElse("");
        return parts.stream().map(part -> part.isAnywhere() ? part.movedTo(zone) : part).toList();
    }

    /** Returns the sum of needs, one for each location. */
    static List<CapacityNeed> sum(List<CapacityNeed> needs) {
        List<CapacityNeed> all = new ArrayList<>(needs);
        all.removeIf(NO_CAPACITY::equals);
        return all.isEmpty() ? List.of(NO_CAPACITY) : combine(all, Math::addExact);
    }

    /** Returns the zone for servers that name none: the first that another server names. */
    static Optional<String> zone(List<StackComponent> parts) {
        return parts.stream()
                .filter(part -> part.kind().equals(ResourceKind.SERVER))
                .map(StackComponent::location)
                .filter(location -> !location.isEmpty())
                .findFirst();
    }

    /**
     * Returns the larger of two needs, at each location where one of them takes room, if any does.
     */
    static List<CapacityNeed> max(List<CapacityNeed> before, List<CapacityNeed> after) {
        List<CapacityNeed> both = new ArrayList<>(after);
        both.addAll(before);
        if (both.stream().anyMatch(CapacityNeed::takesRoom)) {
            both.removeIf(need -> !need.takesRoom());
        }
        both.removeIf(NO_CAPACITY::equals);
        return both.isEmpty() ? List.of(NO_CAPACITY) : combine(both, Math::max);
    }

    /** Returns what is needed beyond other needs, at each location; empty for nothing. */
    static List<CapacityNeed> excess(List<CapacityNeed> needs, List<CapacityNeed> others) {
        return needs.stream()
                .map(need -> need.beyond(others))
                .filter(CapacityNeed::takesRoom)
                .toList();
    }

    private boolean takesRoom() {
        return amounts.values().stream().anyMatch(amount -> amount > 0);
    }

    private CapacityNeed beyond(List<CapacityNeed> others) {
        Map<String, Long> more = new TreeMap<>(amounts);
        others.stream()
                .filter(other -> other.kind.equals(kind) && other.location.equals(location))
                .forEach(
                        other ->
                                more.replaceAll(
                                        (resourceClass, amount) ->
                                                amount
                                                        - other.amounts.getOrDefault(
                                                                resourceClass, 0L)));
        more.replaceAll((_, amount) -> Math.max(amount, 0));
        return new CapacityNeed(kind, location, more);
    }

    private static List<CapacityNeed> combine(List<CapacityNeed> needs, LongBinaryOperator how) {
        Map<CapacityNeed, Map<String, Long>> amounts = new LinkedHashMap<>();
        for (CapacityNeed need : needs) {
            Map<String, Long> sums =
                    amounts.computeIfAbsent(
                            new CapacityNeed(need.kind, need.location, Map.of()),
                            _ -> new TreeMap<>());
            need.amounts.forEach(
                    (resourceClass, amount) -> sums.merge(resourceClass, amount, how::applyAsLong));
        }
        return amounts.entrySet().stream()
                .map(
                        each ->
                                new CapacityNeed(
                                        each.getKey().kind,
                                        each.getKey().location,
                                        each.getValue()))
                .toList();
    }

    /** Returns a demand for one location: parts cannot move, but they can grow in place. */
    Demand demand() {
        Requirement there =
                location.isEmpty()
                        ? Requirement.none()
                        : new Comparison(Operator.EQUAL, locationProperty(), location);
        return new Demand.Shared(kind, 1, amounts, there, Spread.TOGETHER);
    }

    /** Returns the need of the same location that takes no room. */
    CapacityNeed emptied() {
        Map<String, Long> nothing = new TreeMap<>(amounts);
        nothing.replaceAll((_, _) -> 0L);
        return new CapacityNeed(kind, location, nothing);
    }

    /** Returns the property that names the location. */
    String locationProperty() {
        return PROPERTIES.getOrDefault(kind, OTHER_LOCATION);
    }

    /** Returns whether any zone fits. */
    boolean isAnywhere() {
        return kind.equals(ResourceKind.SERVER) && location.isEmpty();
    }

    /** Returns whether only a certain zone fits. */
    boolean isInZone() {
        return kind.equals(ResourceKind.SERVER) && !location.isEmpty();
    }

    /** Returns the need as a reservation's parameters store it. */
    Map<String, @Nullable Object> attributes() {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        attributes.put(KIND, kind.value());
        attributes.put(STORED_LOCATION, location);
        Map<String, Object> numbers = new TreeMap<>();
        amounts.forEach((resourceClass, amount) -> numbers.put(resourceClass, plain(amount)));
        attributes.put(NEEDS, numbers);
        return attributes;
    }

    /** Returns the number type that events yield, so that stored and requested values are equal. */
    private static Object plain(long amount) {
        return amount == (int) amount ? (Object) (int) amount : (Object) amount;
    }

    /** Reads the result of {@link #attributes()}. */
    static Optional<CapacityNeed> of(@Nullable Object attributes) {
        return attributes instanceof Map<?, ?> fields
                        && fields.get(KIND) instanceof String kind
                        && fields.get(STORED_LOCATION) instanceof String location
                        && fields.get(NEEDS) instanceof Map<?, ?> needs
                ? Optional.of(new CapacityNeed(new ResourceKind(kind), location, amounts(needs)))
                : Optional.empty();
    }

    private static Map<String, Long> amounts(Map<?, ?> needs) {
        Map<String, Long> amounts = new TreeMap<>();
        needs.forEach(
                (resourceClass, amount) -> {
                    if (amount instanceof Number number) {
                        amounts.put(String.valueOf(resourceClass), number.longValue());
                    }
                });
        return amounts;
    }
}
