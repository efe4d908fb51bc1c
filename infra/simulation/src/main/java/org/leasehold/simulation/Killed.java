package org.leasehold.simulation;

/** A node has died: nothing of it goes on. An error, so that nobody takes it for a failure. */
final class Killed extends Error {

    private static final long serialVersionUID = 1L;

    Killed(String node) {
        super(node + " is dead", null, false, false);
    }
}
