package org.leasehold.runtime.verify;

/**
 * A difference between the stored rows and those that follow from the events.
 *
 * @param table the wrong table
 * @param where the row or event in it
 */
public record VerificationDifference(String table, String where, String expected, String found) {

    /** Returns one line for the operator, whatever the data contains. */
    @Override
    public String toString() {
        return "%s: %s: expected %s, found %s"
                .formatted(table, where, expected, found)
                .replaceAll("\\s*\\R\\s*", " ");
    }
}
