package org.leasehold.query.capacity.projection;

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
 * Equal resources, or refusals of equal requests.
 *
 * @param properties those that operators set, and the sizes; empty for refusals; null for the whole
 *     kind with all its refusals
 * @param wish the requirement of refused requests, as in {@link RefusedRequirement}; null for
 *     resources
 */
public record CapacityPool(
        ResourceKind kind,
        @Nullable String region,
        @Nullable String zone,
        @Nullable Map<String, String> properties,
        @Nullable String wish) {

    private static final JsonMapper SORTED =
            JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

    public CapacityPool {
        properties =
                properties == null ? null : Collections.unmodifiableMap(new TreeMap<>(properties));
    }

    /** Creates a pool of resources. */
    CapacityPool(
            ResourceKind kind,
            @Nullable String region,
            @Nullable String zone,
            Map<String, String> properties) {
        this(kind, region, zone, properties, null);
    }

    /** Returns the pool of a whole kind. */
    static CapacityPool ofKind(ResourceKind kind) {
        return new CapacityPool(kind, null, null, null, null);
    }

    /** Returns the pool of refusals of the same request. */
    static CapacityPool ofRequest(ResourceKind kind, String wish) {
        return new CapacityPool(kind, null, null, Map.of(), wish);
    }

    /** Returns the id, which always is the same for the same resources or requests. */
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
