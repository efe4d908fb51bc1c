package org.leasehold.inventory;

/**
 * Names a property of a resource, an attribute or a capability. The scoped name {@code
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

    /** The name without its scope; empty when there is nothing but the scope. */
    public static String plain(String name) {
        return name.startsWith(SCOPE) ? name.substring(SCOPE.length()) : name;
    }

    /** The property that a name means a part left of, as {@code free_vcpus}, or else the name. */
    public static String whole(String name) {
        return name.startsWith(LEFT) ? name.substring(LEFT.length()) : name;
    }

    @Override
    public String toString() {
        return value;
    }
}
