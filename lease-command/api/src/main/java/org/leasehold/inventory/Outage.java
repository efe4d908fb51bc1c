package org.leasehold.inventory;

/**
 * The reason why the cloud cannot provide a resource.
 *
 * @param reason a text that is the same each time
 */
public record Outage(String reason, OutageExtent extent) {

    /** Returns an outage in which the current lease loses the resource. */
    public static Outage down(String reason) {
        return new Outage(reason, OutageExtent.DOWN);
    }

    /** Returns an outage in which only new leases do not get the resource. */
    public static Outage closed(String reason) {
        return new Outage(reason, OutageExtent.CLOSED);
    }
}
