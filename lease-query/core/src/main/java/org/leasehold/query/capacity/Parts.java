package org.leasehold.query.capacity;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.Requirement;
import org.leasehold.query.Capacities.AskCapacity;
import org.leasehold.resource.requirement.RequirementParser;
import org.leasehold.resource.requirement.RequirementParser.Reading;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Into which parts a question divides what there is of a kind, and what was refused of it. */
final class Parts {

    private final AskCapacity question;
    private final List<Resources> known = new ArrayList<>();

    /** What requirements can be about. */
    private final Set<String> names = new HashSet<>();

    Parts(AskCapacity question) {
        this.question = question;
    }

    /** Refused wishes are for the resources that are known: all of them, before any wish. */
    void know(Pool resources) {
        Map<String, String> properties = properties(resources);
        names.addAll(properties.keySet());
        known.add(new Resources(properties, of(resources).orElse(null)));
    }

    /** Requirements name the place of resources, too, by the names that each API shows. */
    private static Map<String, String> properties(Pool resources) {
        Map<String, String> properties = new TreeMap<>();
        String region = resources.region();
        if (region != null) {
            properties.put("region", region);
        }
        String zone = resources.zone();
        if (zone != null) {
            properties.put("zone", zone);
            properties.put("availability_zone", zone);
        }
        properties.putAll(Objects.requireNonNull(resources.properties()));
        return properties;
    }

    /** Where a pool counts that is of resources, or of a kind; empty if it is not asked for. */
    Optional<Part> of(Pool resources) {
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
     * Where refusals of a wish count; empty if something could have served it that is not asked
     * for. They are of the value that all have that could, and else of none.
     */
    Optional<Part> ofRefused(String wish) {
        Set<@Nullable Part> parts = new HashSet<>();
        requirement(wish)
                .ifPresent(
                        required -> {
                            for (Resources each : known) {
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

    /** Empty where it is about something that pools do not tell, so that nobody can decide it. */
    private Optional<Requirement> requirement(String wish) {
        return !wish.equals(RefusedWish.OTHERS)
                        && RequirementParser.parse(wish) instanceof Reading.Understood understood
                        && names.containsAll(understood.requirement().properties())
                ? Optional.of(understood.requirement())
                : Optional.empty();
    }

    /** One of the parts, by the value that its resources have in common. */
    record Part(@Nullable String value) {

        /** Of what is not told apart, or has no value, or no certain one. */
        static final Part NO_VALUE = new Part(null);
    }

    /**
     * Some that could serve a wish.
     *
     * @param part null if they are not asked for
     */
    private record Resources(Map<String, String> properties, @Nullable Part part) {}
}
