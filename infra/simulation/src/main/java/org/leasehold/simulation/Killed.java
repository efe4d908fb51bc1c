package org.leasehold.simulation;

/** The death of a node, which stops all its work. An error, so that no code handles it. */
final class Killed extends Error {

    private static final long serialVersionUID = 1L;

    Killed(String node) {
        super(node + " is dead", null, false, false);
    }
}
