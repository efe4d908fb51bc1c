package org.leasehold.command.calendar;

import org.leasehold.calendar.Capacity;
import org.leasehold.inventory.PropertyName;
import org.leasehold.inventory.Requirement;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * What is left of a resource in a window, as requirements name it: {@code free_vcpus} is {@code
 * vcpus} less the most that is held of them at any one instant, and so for each property that tells
 * how much there is of something.
 */
final class Left {

    private final Requirement requirement;
    private final List<String> names;

    Left(Requirement requirement) {
        this.requirement = requirement;
        names =
                requirement.properties().stream()
                        .filter(name -> !PropertyName.whole(name).equals(name))
                        .toList();
    }

    /** Whether the requirement is met in one window and not in another. */
    boolean matters() {
        return !names.isEmpty();
    }

    /**
     * Whether a resource meets the requirement.
     *
     * @param taken how much is held of a resource class
     */
    boolean meets(Map<String, String> properties, ToLongFunction<String> taken) {
        if (!matters()) {
            return requirement.isMetBy(properties);
        }
        Map<String, String> withLeft = new TreeMap<>(properties);
        for (String name : names) {
            // A property that really has such a name stands.
            if (properties.containsKey(PropertyName.whole(name))) {
                String resourceClass = Capacity.resourceClass(PropertyName.whole(name));
                long left =
                        Capacity.of(properties, resourceClass) - taken.applyAsLong(resourceClass);
                withLeft.putIfAbsent(name, Long.toString(Math.max(0, left)));
            }
        }
        return requirement.isMetBy(withLeft);
    }
}
