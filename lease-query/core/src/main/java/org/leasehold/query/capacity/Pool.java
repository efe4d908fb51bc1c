package org.leasehold.query.capacity;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Resources that are alike.
 *
 * @param properties those that operators gave them, and how large they are; null for all of the
 *     kind, whatever they are, and what was refused of it
 */
record Pool(
        ResourceKind kind,
        @Nullable String region,
        @Nullable String zone,
        @Nullable Map<String, String> properties) {

    private static final JsonMapper SORTED =
            JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

    Pool {
        properties =
                properties == null ? null : Collections.unmodifiableMap(new TreeMap<>(properties));
    }

    /** All of a kind. */
    static Pool ofAll(ResourceKind kind) {
        return new Pool(kind, null, null, null);
    }

    /** The same for the same resources, always. */
    UUID id() {
        String text =
                SORTED.writeValueAsString(Arrays.asList(kind.value(), region, zone, properties));
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    @Nullable String propertiesText() {
        return properties == null ? null : SORTED.writeValueAsString(properties);
    }
}
