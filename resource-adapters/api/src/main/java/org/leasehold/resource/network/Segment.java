package org.leasehold.resource.network;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.Acting.Discovery;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An isolated layer-2 segment on shared wires. It is enrolled as {@code <type>/<physical
 * network>/<id>}: {@code vlan/physnet1/1200} or {@code vxlan/-/70000}.
 *
 * @param physical the physical network; null for a type that needs none
 * @param id a VLAN's id, or a VXLAN's
 */
public record Segment(Type type, @Nullable String physical, int id) {

    /** The properties of a segment, under Blazar's names. */
    public static final String TYPE = "network_type";

    public static final String PHYSICAL = "physical_network";
    public static final String ID = "segment_id";

    private static final String NO_PHYSICAL = "-";
    private static final Pattern LIKE_PHYSICAL = Pattern.compile("[^/\\s]{1,64}");
    private static final Pattern LIKE_ID = Pattern.compile("[1-9][0-9]{0,7}");

    /** The technology that isolates networks. */
    public enum Type {
        VLAN("vlan", 4_094),
        VXLAN("vxlan", 16_777_215);

        private final String word;
        private final int maxId;

        Type(String word, int maxId) {
            this.word = word;
            this.maxId = maxId;
        }

        /** Returns Neutron's name of the type. */
        public String word() {
            return word;
        }

        private static Optional<Type> fromWord(String word) {
            for (Type type : values()) {
                if (type.word.equals(word)) {
                    return Optional.of(type);
                }
            }
            return Optional.empty();
        }
    }

    /**
     * Returns a segment; empty if no such segment can exist.
     *
     * @param physical empty for none
     */
    public static Optional<Segment> of(String type, String physical, String id) {
        return LIKE_ID.matcher(id).matches()
                ? Type.fromWord(type)
                        .map(known -> new Segment(known, nameOf(physical), Integer.parseInt(id)))
                        .filter(Segment::isValid)
                : Optional.empty();
    }

    /** Returns the segment that is enrolled under a name; empty for any other name. */
    public static Optional<Segment> fromName(String name) {
        String[] parts = name.split("/", -1);
        if (parts.length != 3 || parts[1].isEmpty()) {
            return Optional.empty();
        }
        return of(parts[0], parts[1].equals(NO_PHYSICAL) ? "" : parts[1], parts[2]);
    }

    /** Returns the description of a name that is no segment's. */
    public static Discovery invalidName(String name) {
        return Type.fromWord(name.split("/", 2)[0])
                .<Discovery>map(
                        type ->
                                new Discovery.Unfit(
                                        "The name of a segment is vlan/<physical network>/<1 to %s> or vxlan/%s/<1 to %s>, not %s"
                                                .formatted(
                                                        Type.VLAN.maxId,
                                                        NO_PHYSICAL,
                                                        Type.VXLAN.maxId,
                                                        name)))
                .orElseGet(Discovery.NotFound::new);
    }

    public String name() {
        return "%s/%s/%s".formatted(type.word, physical == null ? NO_PHYSICAL : physical, id);
    }

    /** Returns the properties that its enrolment stores. */
    public Map<String, @Nullable Object> attributes() {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        attributes.put(TYPE, type.word);
        if (physical != null) {
            attributes.put(PHYSICAL, physical);
        }
        attributes.put(ID, id);
        return attributes;
    }

    private static @Nullable String nameOf(String physical) {
        return physical.isEmpty() ? null : physical;
    }

    private boolean isValid() {
        boolean hasRequiredPhysical =
                switch (type) {
                    case VLAN ->
                            physical != null
                                    && !physical.equals(NO_PHYSICAL)
                                    && LIKE_PHYSICAL.matcher(physical).matches();
                    case VXLAN -> physical == null;
                };
        return hasRequiredPhysical && id <= type.maxId;
    }
}
