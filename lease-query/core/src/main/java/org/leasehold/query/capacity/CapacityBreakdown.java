package org.leasehold.query.capacity;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.Requirement;
import org.leasehold.query.capacity.projection.CapacityPool;
import org.leasehold.query.capacity.projection.RefusedRequirement;
import org.leasehold.query.resource.RequirementProperties;
import org.leasehold.readmodel.capacity.Capacities.AskCapacity;
import org.leasehold.resource.requirement.RequirementParser;
import org.leasehold.resource.requirement.RequirementParser.Reading;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The parts into which a query splits the resources of a kind, and its refused requests. */
final class CapacityBreakdown {

    private final AskCapacity question;
    private final List<Resources> pools = new ArrayList<>();

    /** The properties that requirements can be about. */
    private final Set<String> propertyNames = new HashSet<>();

    CapacityBreakdown(AskCapacity question) {
        this.question = question;
    }

    /** Adds a known pool of resources; all of them must precede the requests. */
    void addPool(CapacityPool resources) {
        Map<String, String> properties = properties(resources);
        propertyNames.addAll(properties.keySet());
        pools.add(new Resources(properties, partOf(resources).orElse(null)));
    }

    private static Map<String, String> properties(CapacityPool resources) {
        return RequirementProperties.of(
                resources.region(),
                resources.zone(),
                Objects.requireNonNull(resources.properties()));
    }

    /** Returns the part of a pool of resources, or of a kind; empty if it is not requested. */
    Optional<Part> partOf(CapacityPool resources) {
        Map<String, String> properties = resources.properties();
        if (properties == null) {
            return Optional.of(Part.NO_VALUE);
        }
        boolean isMeant =
                (question.zone() == null || question.zone().equals(resources.zone()))
                        && question.requirement().isMetBy(properties(resources));
        return isMeant ? Optional.of(part(properties(resources))) : Optional.empty();
    }

    private Part part(Map<String, String> properties) {
        String by = question.by();
        if (by == null) {
            return Part.NO_VALUE;
        }
        return new Part(properties.get(by));
    }

    /**
     * Returns the part of a refused request; empty if other resources than the requested could have
     * served it. Its value is the common one of all resources that could, or else none.
     */
    Optional<Part> partOfRefusal(String wish) {
        Set<@Nullable Part> parts = new HashSet<>();
        requirement(wish)
                .ifPresent(
                        required -> {
                            for (Resources each : pools) {
                                if (required.isMetBy(each.properties)) {
                                    parts.add(each.part);
                                }
                            }
                        });
        if (parts.contains(null) || (parts.isEmpty() && question.isFiltered())) {
            return Optional.empty();
        }
        return Optional.of(
                parts.size() == 1
                        ? Objects.requireNonNull(parts.iterator().next())
                        : Part.NO_VALUE);
    }

    /** Returns the requirement; empty if pools lack its properties: it is undecidable. */
    private Optional<Requirement> requirement(String wish) {
        return !wish.equals(RefusedRequirement.OTHER_REQUESTS)
                        && RequirementParser.parse(wish) instanceof Reading.Understood understood
                        && propertyNames.containsAll(understood.requirement().properties())
                ? Optional.of(understood.requirement())
                : Optional.empty();
    }

    /** A part, by the common value of its resources. */
    record Part(@Nullable String value) {

        /** The part of resources without a split, a value, or a certain value. */
        static final Part NO_VALUE = new Part(null);
    }

    /**
     * A pool of resources that could serve a request.
     *
     * @param part null if they are not requested
     */
    private record Resources(Map<String, String> properties, @Nullable Part part) {}
}
