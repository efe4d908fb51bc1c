package org.leasehold.inventory;

/** What becomes of what runs on a resource that the cloud cannot give. */
public enum OutageExtent {
    /** It goes on; only new leases do not get the resource. */
    CLOSED,
    /** Nothing runs there: whoever has the resource does not have it now. */
    DOWN
}
