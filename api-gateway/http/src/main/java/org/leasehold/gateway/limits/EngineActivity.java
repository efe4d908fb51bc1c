package org.leasehold.gateway.limits;

/** The work that a node does by itself, such as starts and ends of leases. */
@FunctionalInterface
public interface EngineActivity {

    /** Returns whether this node does such work at present. */
    boolean isBusy();
}
