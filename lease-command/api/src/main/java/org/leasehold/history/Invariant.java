package org.leasehold.history;

/**
 * Something that must hold among the rows of a table.
 *
 * @param table as reports name it
 * @param violations selects, for each violation, where it is, what is expected, and what was found
 */
public record Invariant(String table, String violations) {}
