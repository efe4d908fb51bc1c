package org.leasehold.query.capacity;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Resources that are alike, or refusals of wishes that are alike.
 *
 * @param properties those that operators gave the resources, and how large they are; none of
 *     refusals; null for all of the kind, whatever they are, and all that was refused of it
 * @param wish what refused wishes required, as {@link RefusedWish} has it; null for resources
 */
record Pool(
        ResourceKind kind,
        @Nullable String region,
        @Nullable String zone,
        @Nullable Map<String, String> properties,
        @Nullable String wish) {

    private static final JsonMapper SORTED =
            JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

    Pool {
        properties =
                properties == null ? null : Collections.unmodifiableMap(new TreeMap<>(properties));
    }

    /** Resources. */
    Pool(
            ResourceKind kind,
            @Nullable String region,
            @Nullable String zone,
            Map<String, String> properties) {
        this(kind, region, zone, properties, null);
    }

    /** All of a kind. */
    static Pool ofAll(ResourceKind kind) {
        return new Pool(kind, null, null, null, null);
    }

    /** What was refused to those who wished the same. */
    static Pool ofWish(ResourceKind kind, String wish) {
        return new Pool(kind, null, null, Map.of(), wish);
    }

    /** The same for the same resources, or wishes, always. */
    UUID id() {
        List<@Nullable Object> all =
                new ArrayList<>(Arrays.asList(kind.value(), region, zone, properties));
        if (wish != null) {
            all.add(wish);
        }
        return UUID.nameUUIDFromBytes(
                SORTED.writeValueAsString(all).getBytes(StandardCharsets.UTF_8));
    }

    @Nullable String propertiesText() {
        return properties == null ? null : SORTED.writeValueAsString(properties);
    }
}
