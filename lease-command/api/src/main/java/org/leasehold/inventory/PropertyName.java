package org.leasehold.inventory;

/**
 * The name of a property of a resource, an attribute or a capability. The scoped name {@code
 * capabilities:gpu} and the plain name {@code gpu} are the same name.
 *
 * @param value the plain name, never empty
 */
public record PropertyName(String value) {

    private static final String SCOPE_PREFIX = "capabilities:";
    private static final String FREE_PREFIX = "free_";

    public PropertyName {
        value = withoutScope(value);
        if (value.isEmpty()) {
            throw new IllegalArgumentException("a property's name is never empty");
        }
    }

    /** Returns the name without its scope; empty if the name is only the scope. */
    public static String withoutScope(String name) {
        return name.startsWith(SCOPE_PREFIX) ? name.substring(SCOPE_PREFIX.length()) : name;
    }

    /** Returns the name without the prefix for the free part, as in {@code free_vcpus}. */
    public static String withoutFreePrefix(String name) {
        return name.startsWith(FREE_PREFIX) ? name.substring(FREE_PREFIX.length()) : name;
    }

    @Override
    public String toString() {
        return value;
    }
}
