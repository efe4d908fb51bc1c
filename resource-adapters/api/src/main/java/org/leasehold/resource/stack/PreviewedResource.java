package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A resource of a future stack, as Heat previews it.
 *
 * @param name with the names of the stacks around it as prefix, each followed by a dot
 * @param type Heat's word, such as {@code OS::Nova::Server}
 * @param properties JSON values; null if they are known only after the stack's creation
 */
public record PreviewedResource(
        String name,
        String type,
        Map<String, @Nullable Object> properties,
        Map<String, @Nullable Object> metadata) {

    /** The key of the engine's settings in the metadata of a resource. */
    private static final String OWN = "leasehold";

    public PreviewedResource {
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }

    /** Returns the end policy in the metadata; null for none. */
    @Nullable Object onEnd() {
        return onEnd(metadata);
    }

    static @Nullable Object onEnd(@Nullable Object metadata) {
        return metadata instanceof Map<?, ?> fields && fields.get(OWN) instanceof Map<?, ?> own
                ? own.get(StackPlanning.ON_END)
                : null;
    }
}
