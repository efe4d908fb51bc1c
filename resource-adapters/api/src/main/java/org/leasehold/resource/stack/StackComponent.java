package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.resource.volume.VolumeType;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A resource of a stack that needs something from the calendar.
 *
 * @param name the stack's name for it, with the names of the stacks around it as prefix, each
 *     followed by a dot
 * @param type Heat's word, such as {@code OS::Nova::Server}
 * @param kind the kind of a reservation of it alone
 * @param location the availability zone, the volume type, or the network's id; empty for any zone
 * @param needs by resource class
 */
public record StackComponent(
        String name, String type, ResourceKind kind, String location, Map<String, Long> needs) {

    private static final String NAME = "name";
    private static final String TYPE = "type";

    private static final Map<String, String> FIELD_NAMES =
            Map.of(
                    "VCPU",
                    "vcpus",
                    "MEMORY_MB",
                    "memory_mb",
                    "DISK_GB",
                    "disk_gb",
                    VolumeType.GIB,
                    "size",
                    AddressPool.ADDRESSES,
                    "amount");

    public StackComponent {
        needs = Collections.unmodifiableMap(new TreeMap<>(needs));
    }

    /** Returns a server with the room that it takes. */
    public static StackComponent server(String name, String type, ComputeCapacity room) {
        return new StackComponent(
                name,
                type,
                ResourceKind.SERVER,
                room.zone(),
                Map.of(
                        "VCPU", room.vcpus(),
                        "MEMORY_MB", room.memoryMb(),
                        "DISK_GB", room.diskGb()));
    }

    /** Returns a volume of a type. */
    public static StackComponent volume(String name, String type, String volumeType, long gib) {
        return new StackComponent(
                name, type, ResourceKind.VOLUME, volumeType, Map.of(VolumeType.GIB, gib));
    }

    /** Returns a floating IP from a network's pool. */
    public static StackComponent floatingIp(String name, String type, String network) {
        return new StackComponent(
                name, type, ResourceKind.FLOATING_IP, network, Map.of(AddressPool.ADDRESSES, 1L));
    }

    /** Returns whether it is a server that names no zone. */
    boolean isAnywhere() {
        return kind.equals(ResourceKind.SERVER) && location.isEmpty();
    }

    /** Returns the same part at another location. */
    StackComponent movedTo(String other) {
        return new StackComponent(name, type, kind, other, needs);
    }

    /** Returns the same part with another name. */
    StackComponent named(String other) {
        return new StackComponent(other, type, kind, location, needs);
    }

    /**
     * Returns whether Heat changes this part into another one, and does not create that one beside
     * it. Heat moves a volume to another type in place.
     */
    boolean continuesAs(StackComponent other) {
        return name.equals(other.name)
                && type.equals(other.type)
                && kind.equals(other.kind)
                && (location.equals(other.location) || kind.equals(ResourceKind.VOLUME));
    }

    /** Returns what the calendar must hold for it. */
    CapacityNeed need() {
        return new CapacityNeed(
                kind.equals(ResourceKind.FLOATING_IP) ? ResourceKind.STACK : kind, location, needs);
    }

    /** Returns the fields of its representation, named as in a reservation of its kind. */
    Map<String, @Nullable Object> fields() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put(TYPE, type);
        fields.put(need().locationProperty(), location);
        needs.forEach(
                (resourceClass, amount) ->
                        fields.put(FIELD_NAMES.getOrDefault(resourceClass, resourceClass), amount));
        return fields;
    }

    /** Returns the part as a reservation's parameters store it. */
    Map<String, @Nullable Object> attributes() {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        attributes.put(NAME, name);
        attributes.put(TYPE, type);
        attributes.putAll(new CapacityNeed(kind, location, needs).attributes());
        return attributes;
    }

    /** Reads the result of {@link #attributes()}. */
    static Optional<StackComponent> of(@Nullable Object attributes) {
        return attributes instanceof Map<?, ?> fields
                        && fields.get(NAME) instanceof String name
                        && fields.get(TYPE) instanceof String type
                ? CapacityNeed.of(fields)
                        .map(
                                need ->
                                        new StackComponent(
                                                name,
                                                type,
                                                need.kind(),
                                                need.location(),
                                                need.amounts()))
                : Optional.empty();
    }
}
