package org.leasehold.command.calendar.inventory;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.ResourceCapacity;
import org.leasehold.inventory.BuiltInProperties;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.Share;

import tools.jackson.databind.JsonNode;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A resource in the memory of a node.
 *
 * @param allocation the allocation that a reservation of it gets
 * @param properties all properties by which it may be chosen, as text
 * @param amounts the properties that are amounts: each choice compares those of thousands
 * @param enrolled false while it is out of service
 * @param marker differs whenever the resource does: a choice by cached properties is granted only
 *     if the database still has the same marker
 */
public record CachedResource(
        ResourceKind kind,
        Allocation allocation,
        Map<String, String> properties,
        Map<String, Long> amounts,
        boolean enrolled,
        long marker) {

    public CachedResource {
        properties = Collections.unmodifiableMap(properties);
        amounts = Map.copyOf(amounts);
    }

    /** Creates one, and reads the amounts from the properties. */
    public CachedResource(
            ResourceKind kind,
            Allocation allocation,
            Map<String, String> properties,
            boolean enrolled,
            long marker) {
        this(kind, allocation, properties, ResourceCapacity.amounts(properties), enrolled, marker);
    }

    /** Creates one from JSON. An operator's value of a name precedes the cloud's. */
    public static CachedResource of(
            ResourceKind kind,
            Allocation named,
            Location location,
            JsonNode attributes,
            JsonNode capabilities,
            boolean enrolled,
            long marker) {
        Map<String, String> described = new TreeMap<>(Map.of("name", named.name()));
        flatten(attributes, described);
        flatten(capabilities, described);
        Map<String, String> properties =
                BuiltInProperties.of(
                        kind, named.resource(), named.name(), location.region(), location.zone());
        properties.putAll(described);
        return new CachedResource(
                kind,
                new Allocation(
                        named.resource(), named.name(), withoutTraits(described, attributes)),
                properties,
                enrolled,
                marker);
    }

    /**
     * Leaves out traits, which are only for choices: a host has a hundred, and each event of each
     * lease would contain them.
     */
    private static Map<String, String> withoutTraits(
            Map<String, String> properties, JsonNode attributes) {
        Map<String, String> granted = new TreeMap<>(properties);
        granted.entrySet()
                .removeIf(
                        property ->
                                attributes.path(property.getKey()).isBoolean()
                                        && property.getValue().equals("true"));
        return granted;
    }

    private static void flatten(JsonNode object, Map<String, String> properties) {
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            JsonNode value = field.getValue();
            if (value.isString()) {
                properties.put(field.getKey(), value.stringValue());
            } else if (!value.isNull()) {
                properties.put(field.getKey(), value.toString());
            }
        }
    }

    public ResourceId id() {
        return allocation.resource();
    }

    /**
     * Returns whether one slot would fit if nothing was claimed.
     *
     * @param needs those of one slot, by resource class
     */
    boolean hasCapacityFor(Map<String, Long> needs) {
        return needs.entrySet().stream()
                .allMatch(need -> capacity(need.getKey()) >= need.getValue());
    }

    /** Returns the capacity for a resource class; 0 if no property states it. */
    public long capacity(String resourceClass) {
        return amounts.getOrDefault(ResourceCapacity.propertyOf(resourceClass), 0L);
    }

    /** The region and zone of a resource; null where unknown. */
    public record Location(@Nullable String region, @Nullable String zone) {}

    /** Returns the resource with an allocation of this share only. */
    public CachedResource withShare(Share share) {
        return new CachedResource(
                kind, allocation.shared(share), properties, amounts, enrolled, marker);
    }
}
