package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A resource of a stack that is yet to be made, as Heat previews it.
 *
 * @param name with the names of the stacks that it is nested in before it, each followed by a dot
 * @param type Heat's word, such as {@code OS::Nova::Server}
 * @param properties JSON values; null for what is known only once the stack is made
 */
public record Element(
        String name,
        String type,
        Map<String, @Nullable Object> properties,
        Map<String, @Nullable Object> metadata) {

    /** Where the metadata of a resource says what is to become of it. */
    private static final String OWN = "leasehold";

    public Element {
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }

    /** What the metadata says of its end; null for nothing. */
    @Nullable Object onEnd() {
        return onEnd(metadata);
    }

    static @Nullable Object onEnd(@Nullable Object metadata) {
        return metadata instanceof Map<?, ?> fields && fields.get(OWN) instanceof Map<?, ?> own
                ? own.get(StackPlanning.ON_END)
                : null;
    }
}
