package org.leasehold.inventory;

import org.leasehold.inventory.ResourceRejection.InvalidCapability;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Validates names of capabilities. */
public final class CapabilityNameValidator {

    private static final int MAX_LENGTH = 64;

    // Fields beside capabilities, in filters and responses, that a capability must not hide.
    private static final Set<String> RESERVED_NAMES =
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

    private CapabilityNameValidator() {}

    /**
     * Returns the first invalid name.
     *
     * @param names plain or scoped names
     * @param attributes the names of the attributes that the cloud reports for the resource
     */
    public static Optional<InvalidCapability> firstInvalid(
            Set<String> names, Set<String> attributes) {
        return names.stream().flatMap(name -> check(name, attributes).stream()).findFirst();
    }

    private static Optional<InvalidCapability> check(String name, Set<String> attributes) {
        String plain = PropertyName.withoutScope(name);
        if (plain.isEmpty()) {
            return invalid(name, "Extra capability key is empty");
        }
        if (plain.codePointCount(0, plain.length()) > MAX_LENGTH) {
            return invalid(name, "Extra capability key too long");
        }
        if (attributes.contains(plain) || RESERVED_NAMES.contains(plain)) {
            return invalid(name, "Extra capability key " + plain + " is an attribute");
        }
        return Optional.empty();
    }

    /** Returns a name that occurs both plain and scoped, which makes its value ambiguous. */
    public static Optional<InvalidCapability> firstAmbiguous(Map<String, String> capabilities) {
        Map<String, String> plain = withPlainNames(capabilities);
        return plain.size() == capabilities.size()
                ? Optional.empty()
                : capabilities.keySet().stream()
                        .filter(name -> !plain.containsKey(name))
                        .filter(name -> capabilities.containsKey(PropertyName.withoutScope(name)))
                        .findFirst()
                        .flatMap(name -> invalid(name, "Extra capability key is given twice"));
    }

    /** Returns the same capabilities by their plain names. */
    public static Map<String, String> withPlainNames(Map<String, String> capabilities) {
        Map<String, String> plain = new TreeMap<>();
        capabilities.forEach((name, value) -> plain.put(PropertyName.withoutScope(name), value));
        return plain;
    }

    private static Optional<InvalidCapability> invalid(String name, String message) {
        return Optional.of(new InvalidCapability(name, message));
    }
}
