package org.leasehold.command.calendar.claim;

import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeasePeriod;

/** The known claims and holders when resources are chosen. */
public interface ResourceOccupancy {

    /** Returns whether no part of the window is claimed. */
    boolean isFree(ResourceId resource, LeasePeriod window);

    /** Returns whether the resource has a holder now, or may have one. */
    boolean isHeld(ResourceId resource);

    int claimsOn(ResourceId resource);
}
