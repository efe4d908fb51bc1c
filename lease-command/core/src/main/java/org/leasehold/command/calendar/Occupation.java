package org.leasehold.command.calendar;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeasePeriod;

/** What is known of the calendar when resources are chosen. */
interface Occupation {

    /** Whether nobody has claimed any part of the window. */
    boolean isFree(ResourceId resource, LeasePeriod window);

    /** Whether the resource is in somebody's hands now, or may be. */
    boolean isHeld(ResourceId resource);

    int claimsOn(ResourceId resource);
}
