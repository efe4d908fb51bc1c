package org.leasehold.command.calendar.inventory;

import org.leasehold.calendar.ResourceCapacity;
import org.leasehold.inventory.PropertyName;
import org.leasehold.inventory.Requirement;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Filters resources by the rest of their capacity in a window. In requirements {@code free_vcpus}
 * is {@code vcpus} less the largest amount that is held at any one instant; each property with an
 * amount has such a name.
 */
public final class FreeCapacityFilter {

    private final Requirement requirement;
    private final List<String> freeCapacityNames;

    public FreeCapacityFilter(Requirement requirement) {
        this.requirement = requirement;
        freeCapacityNames =
                requirement.properties().stream()
                        .filter(name -> !PropertyName.withoutFreePrefix(name).equals(name))
                        .toList();
    }

    /** Returns whether the requirement can be met in one window and not in another. */
    public boolean dependsOnWindow() {
        return !freeCapacityNames.isEmpty();
    }

    /**
     * Returns whether a resource meets the requirement.
     *
     * @param taken the held amount of a resource class
     */
    public boolean meets(Map<String, String> properties, ToLongFunction<String> taken) {
        if (!dependsOnWindow()) {
            return requirement.isMetBy(properties);
        }
        Map<String, String> withLeft = new TreeMap<>(properties);
        for (String name : freeCapacityNames) {
            // A real property with such a name has precedence.
            if (properties.containsKey(PropertyName.withoutFreePrefix(name))) {
                String resourceClass =
                        ResourceCapacity.resourceClassOf(PropertyName.withoutFreePrefix(name));
                long left =
                        ResourceCapacity.of(properties, resourceClass)
                                - taken.applyAsLong(resourceClass);
                withLeft.putIfAbsent(name, Long.toString(Math.max(0, left)));
            }
        }
        return requirement.isMetBy(withLeft);
    }
}
