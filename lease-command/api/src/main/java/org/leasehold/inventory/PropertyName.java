package org.leasehold.inventory;

/**
 * The name of a property of a resource, an attribute or a capability. The scoped name {@code
 * capabilities:gpu} and the plain name {@code gpu} are the same name.
 *
 * @param value the plain name, never empty
 */
public record PropertyName(String value) {

    private static final String SCOPE = "capabilities:";
    private static final String LEFT = "free_";

    public PropertyName {
        value = plain(value);
        if (value.isEmpty()) {
            throw new IllegalArgumentException("a property's name is never empty");
        }
    }

    /** Returns the name without its scope; empty if the name is only the scope. */
    public static String plain(String name) {
        return name.startsWith(SCOPE) ? name.substring(SCOPE.length()) : name;
    }

    /** Returns the name without the prefix for the free part, as in {@code free_vcpus}. */
    public static String whole(String name) {
        return name.startsWith(LEFT) ? name.substring(LEFT.length()) : name;
    }

    @Override
    public String toString() {
        return value;
    }
}
