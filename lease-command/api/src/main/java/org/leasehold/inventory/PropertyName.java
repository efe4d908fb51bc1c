package org.leasehold.inventory;

/**
 * Names a property of a resource, an attribute or a capability. The scoped name {@code
 * capabilities:gpu} and the plain name {@code gpu} are the same name.
 *
 * @param value the plain name, never empty
 */
public record PropertyName(String value) {

    private static final String SCOPE = "capabilities:";

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

    @Override
    public String toString() {
        return value;
    }
}
