package org.leasehold.inventory;

/**
 * Why the cloud cannot give a resource.
 *
 * @param reason the same words each time
 */
public record Outage(String reason, OutageExtent extent) {

    /** Nobody has it any more. */
    public static Outage down(String reason) {
        return new Outage(reason, OutageExtent.DOWN);
    }

    /** Nobody gets it any more. */
    public static Outage closed(String reason) {
        return new Outage(reason, OutageExtent.CLOSED);
    }
}
