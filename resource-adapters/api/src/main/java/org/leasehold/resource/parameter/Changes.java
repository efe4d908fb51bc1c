package org.leasehold.resource.parameter;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** What is to be another one of a reservation's parameters. */
public final class Changes {

    private Changes() {}

    /**
     * The parameters after a change. As in Blazar, a name that means nothing changes nothing.
     *
     * @param changeable the names that do
     */
    public static Map<String, @Nullable Object> applied(
            Map<String, @Nullable Object> current,
            Map<String, @Nullable Object> changes,
            Collection<String> changeable) {
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(current);
        changes.forEach(
                (name, value) -> {
                    if (changeable.contains(name)) {
                        changed.put(name, value);
                    }
                });
        return changed;
    }
}
