package org.leasehold.runtime.verify;

/**
 * Something that is not as it follows from the events.
 *
 * @param table what is wrong
 * @param where which row or event of it
 */
public record Difference(String table, String where, String expected, String found) {

    /** One line for the operator, whatever is in the data. */
    @Override
    public String toString() {
        return "%s: %s: expected %s, found %s"
                .formatted(table, where, expected, found)
                .replaceAll("\\s*\\R\\s*", " ");
    }
}
