package org.leasehold.inventory;

/** The effect of an outage on what runs on the resource. */
public enum OutageExtent {
    /** The use of the resource continues; only new leases do not get it. */
    CLOSED,
    /** The resource is down: its holder cannot use it now. */
    DOWN
}
