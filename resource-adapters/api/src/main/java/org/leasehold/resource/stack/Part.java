package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.server.Room;
import org.leasehold.resource.volume.VolumeType;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A resource of a stack that takes something of the calendar.
 *
 * @param name what the stack calls it; with the names of the stacks that it is nested in before it,
 *     each followed by a dot
 * @param type Heat's word, such as {@code OS::Nova::Server}
 * @param kind what would be leased of it, if it were leased alone
 * @param place the availability zone, the type of volumes, or the network's id; empty for any zone
 * @param needs by resource class
 */
public record Part(
        String name, String type, ResourceKind kind, String place, Map<String, Long> needs) {

    private static final String NAME = "name";
    private static final String TYPE = "type";

    private static final Map<String, String> SHOWN =
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

    public Part {
        needs = Collections.unmodifiableMap(new TreeMap<>(needs));
    }

    /** A server, and the room that it takes. */
    public static Part server(String name, String type, Room room) {
        return new Part(
                name,
                type,
                ResourceKind.SERVER,
                room.zone(),
                Map.of(
                        "VCPU", room.vcpus(),
                        "MEMORY_MB", room.memoryMb(),
                        "DISK_GB", room.diskGb()));
    }

    /** A volume of a type. */
    public static Part volume(String name, String type, String volumeType, long gib) {
        return new Part(name, type, ResourceKind.VOLUME, volumeType, Map.of(VolumeType.GIB, gib));
    }

    /** A floating IP out of a network's pool. */
    public static Part floatingIp(String name, String type, String network) {
        return new Part(
                name, type, ResourceKind.FLOATING_IP, network, Map.of(AddressPool.ADDRESSES, 1L));
    }

    /** Whether it is a server that names no zone. */
    boolean isAnywhere() {
        return kind.equals(ResourceKind.SERVER) && place.isEmpty();
    }

    /** The same at another place. */
    Part at(String other) {
        return new Part(name, type, kind, other, needs);
    }

    /** What the calendar is to hold of it. */
    Need need() {
        return new Need(
                kind.equals(ResourceKind.FLOATING_IP) ? ResourceKind.STACK : kind, place, needs);
    }

    /** As it is shown: in the words of a reservation of its kind. */
    Map<String, @Nullable Object> fields() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put(TYPE, type);
        fields.put(need().placeName(), place);
        needs.forEach(
                (resourceClass, amount) ->
                        fields.put(SHOWN.getOrDefault(resourceClass, resourceClass), amount));
        return fields;
    }

    /** As a reservation's parameters keep it. */
    Map<String, @Nullable Object> attributes() {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        attributes.put(NAME, name);
        attributes.put(TYPE, type);
        attributes.putAll(new Need(kind, place, needs).attributes());
        return attributes;
    }

    /** Reads what {@link #attributes()} made. */
    static Optional<Part> of(@Nullable Object attributes) {
        return attributes instanceof Map<?, ?> fields
                        && fields.get(NAME) instanceof String name
                        && fields.get(TYPE) instanceof String type
                ? Need.of(fields)
                        .map(
                                need ->
                                        new Part(
                                                name,
                                                type,
                                                need.kind(),
                                                need.place(),
                                                need.amounts()))
                : Optional.empty();
    }
}
