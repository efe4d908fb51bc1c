package org.leasehold.simulation;

/** The death of a node, which stops all its work. An error, so that no code handles it. */
final class NodeDeath extends Error {

    private static final long serialVersionUID = 1L;

    NodeDeath(String node) {
        super(node + " is dead", null, false, false);
    }
}
