package org.leasehold.history;

/**
 * An invariant of the rows of a table.
 *
 * @param table the table's name in reports
 * @param violations selects the row, the expected and the found value of each violation
 */
public record Invariant(String table, String violations) {}
