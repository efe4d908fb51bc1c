package org.leasehold.command.calendar;

import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Share;

import java.util.Collections;
import java.util.Map;

/**
 * A resource as a node remembers it.
 *
 * @param allocation what is granted of it
 * @param properties all that it may be chosen by, as text
 * @param enrolled false while it is out of service
 * @param marker differs whenever the resource does: what was chosen by remembered properties is
 *     granted only if the database still has the same marker
 */
record KnownResource(
        ResourceKind kind,
        Allocation allocation,
        Map<String, String> properties,
        boolean enrolled,
        long marker) {

    KnownResource {
        properties = Collections.unmodifiableMap(properties);
    }

    ResourceId id() {
        return allocation.resource();
    }

    /** A part of it. */
    KnownResource part(Share share) {
        return new KnownResource(kind, allocation.shared(share), properties, enrolled, marker);
    }
}
