package org.leasehold.command.calendar;

import org.leasehold.calendar.Capacity;
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

    private static final String FREE = "free_";

    private final Requirement requirement;
    private final List<String> names;

    Left(Requirement requirement) {
        this.requirement = requirement;
        names = requirement.properties().stream().filter(name -> name.startsWith(FREE)).toList();
    }

    /** Whether the requirement is met in one window and not in another. */
    boolean matters() {
        return !names.isEmpty();
    }

    /** The property that there is a part left of, or else the property itself. */
    static String whole(String property) {
        return property.startsWith(FREE) ? property.substring(FREE.length()) : property;
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
            if (properties.containsKey(whole(name))) {
                String resourceClass = Capacity.resourceClass(whole(name));
                long left =
                        Capacity.of(properties, resourceClass) - taken.applyAsLong(resourceClass);
                withLeft.putIfAbsent(name, Long.toString(Math.max(0, left)));
            }
        }
        return requirement.isMetBy(withLeft);
    }
}
