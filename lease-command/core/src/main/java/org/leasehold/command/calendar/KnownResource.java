package org.leasehold.command.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.StandingProperties;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Share;

import tools.jackson.databind.JsonNode;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A resource as a node remembers it.
 *
 * @param allocation what is granted of it
 * @param properties all that it may be chosen by, as text
 * @param enrolled false while it is out of service
 * @param marker differs whenever the resource does: what was chosen by remembered properties is
 *     granted only if the database still has the same marker
 */
record KnownResource(
        ResourceKind kind,
        Allocation allocation,
        Map<String, String> properties,
        boolean enrolled,
        long marker) {

    KnownResource {
        properties = Collections.unmodifiableMap(properties);
    }

    /**
     * One that is described in JSON: what the operator says of a name stands before what the cloud
     * says.
     */
    static KnownResource of(
            ResourceKind kind,
            Allocation named,
            Place place,
            JsonNode attributes,
            JsonNode capabilities,
            boolean enrolled,
            long marker) {
        Map<String, String> described = new TreeMap<>(Map.of("name", named.name()));
        flatten(attributes, described);
        flatten(capabilities, described);
        Map<String, String> properties =
                StandingProperties.of(
                        kind, named.resource(), named.name(), place.region(), place.zone());
        properties.putAll(described);
        return new KnownResource(
                kind,
                new Allocation(named.resource(), named.name(), granted(described, attributes)),
                properties,
                enrolled,
                marker);
    }

    /**
     * Traits are for choosing by: a host has a hundred, and each event of each lease would tell
     * them.
     */
    private static Map<String, String> granted(
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

    ResourceId id() {
        return allocation.resource();
    }

    /** Where a resource is; null where nothing is known. */
    record Place(@Nullable String region, @Nullable String zone) {}

    /** A part of it. */
    KnownResource part(Share share) {
        return new KnownResource(kind, allocation.shared(share), properties, enrolled, marker);
    }
}
