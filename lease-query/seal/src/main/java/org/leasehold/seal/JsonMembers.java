package org.leasehold.seal;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.Map;

/** The members of a JSON object, each read as a required type. */
final class JsonMembers {

    private final Map<?, ?> members;

    private JsonMembers(Map<?, ?> members) {
        this.members = members;
    }

    /**
     * Reads a text.
     *
     * @throws IllegalArgumentException if it is no object
     */
    static JsonMembers of(String json) {
        if (JsonCanonical.read(json) instanceof Map<?, ?> members) {
            return new JsonMembers(members);
        }
        throw new IllegalArgumentException("not an object");
    }

    /** Returns the members of an object that is one of them. */
    JsonMembers object(String name) {
        if (members.get(name) instanceof Map<?, ?> object) {
            return new JsonMembers(object);
        }
        throw new IllegalArgumentException("no object: " + name);
    }

    String text(String name) {
        if (members.get(name) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("no text: " + name);
    }

    @Nullable String textOrNull(String name) {
        return members.get(name) == null ? null : text(name);
    }

    long number(String name) {
        if (members.get(name) instanceof BigDecimal number) {
            try {
                return number.longValueExact();
            } catch (ArithmeticException e) {
                throw new IllegalArgumentException("not a whole number: " + name, e);
            }
        }
        throw new IllegalArgumentException("no number: " + name);
    }
}
