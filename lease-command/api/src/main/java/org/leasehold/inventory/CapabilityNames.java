package org.leasehold.inventory;

import org.leasehold.inventory.ResourceRejection.InvalidCapability;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Which names a capability can have. */
public final class CapabilityNames {

    private static final int LONGEST = 64;

    // A capability stands beside these, in filters and on the wire, and must not hide them.
    private static final Set<String> RESERVED =
            Set.of(
                    "id",
                    "name",
                    "region",
                    "zone",
                    "availability_zone",
                    "status",
                    "reservable",
                    "disabled_reason",
                    "trust_id",
                    "created_at",
                    "updated_at");

    private CapabilityNames() {}

    /**
     * The first name that cannot be one.
     *
     * @param names plain or scoped
     * @param attributes the names of what the cloud says of the resource
     */
    public static Optional<InvalidCapability> firstInvalid(
            Set<String> names, Set<String> attributes) {
        return names.stream().flatMap(name -> check(name, attributes).stream()).findFirst();
    }

    private static Optional<InvalidCapability> check(String name, Set<String> attributes) {
        String plain = PropertyName.plain(name);
        if (plain.isEmpty()) {
            return invalid(name, "Extra capability key is empty");
        }
        if (plain.codePointCount(0, plain.length()) > LONGEST) {
            return invalid(name, "Extra capability key too long");
        }
        if (attributes.contains(plain) || RESERVED.contains(plain)) {
            return invalid(name, "Extra capability key " + plain + " is an attribute");
        }
        return Optional.empty();
    }

    /** A name that is there both plain and scoped: it is not clear which value is meant. */
    public static Optional<InvalidCapability> firstAmbiguous(Map<String, String> capabilities) {
        Map<String, String> plain = plain(capabilities);
        return plain.size() == capabilities.size()
                ? Optional.empty()
                : capabilities.keySet().stream()
                        .filter(name -> !plain.containsKey(name))
                        .filter(name -> capabilities.containsKey(PropertyName.plain(name)))
                        .findFirst()
                        .flatMap(name -> invalid(name, "Extra capability key is given twice"));
    }

    /** The same capabilities, by their plain names. */
    public static Map<String, String> plain(Map<String, String> capabilities) {
        Map<String, String> plain = new TreeMap<>();
        capabilities.forEach((name, value) -> plain.put(PropertyName.plain(name), value));
        return plain;
    }

    private static Optional<InvalidCapability> invalid(String name, String message) {
        return Optional.of(new InvalidCapability(name, message));
    }
}
