package org.leasehold.resource.parameter;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** Changes of a reservation's parameters. */
public final class ParameterChanges {

    private ParameterChanges() {}

    /**
     * Returns the parameters after a change. As in Blazar, unknown names are ignored.
     *
     * @param changeable the names that can change
     */
    public static Map<String, @Nullable Object> apply(
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
