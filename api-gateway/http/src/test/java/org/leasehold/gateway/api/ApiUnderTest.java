package org.leasehold.gateway.api;

import java.net.URI;
import java.time.Instant;

/** A running product with the users reader, member, stranger, admin, auditor, planner, biller. */
public interface ApiUnderTest {

    URI address();

    /**
     * Returns the value of an Authorization header. The reader and the member are of one project,
     * the stranger is a member of another one, and each of the others is named after their role.
     */
    String authorization(String user);

    /** Returns the time of the product's clock. */
    Instant now();

    /** Returns the position of the last event; it stays the same if nothing has happened. */
    long lastPosition();

    /** Counts a request's events after a position; the engine adds its own events at any time. */
    long eventsOf(String requestId, long after);

    /** Returns the name of a host of the cloud that is not enrolled. */
    String enrollableHost();

    /** Returns a network and an address of it that is not enrolled, in the form of its plug-in. */
    String enrollableFloatingIp();
}
