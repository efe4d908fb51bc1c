package org.leasehold.gateway.api;

import java.net.URI;
import java.time.Instant;

/** A running product with the users reader, member, stranger, admin, auditor, planner, biller. */
public interface ApiUnderTest {

    URI address();

    /**
     * The value of an Authorization header. The reader and the member are of one project, the
     * stranger is a member of another one, and each of the others is named after their role.
     */
    String authorization(String user);

    /** What the product takes for now. */
    Instant now();

    /** The position of the last event: what it was before, if nothing has happened. */
    long lastPosition();

    /**
     * How many events after a position a request has caused; the engine adds its own at any time.
     */
    long eventsOf(String requestId, long after);

    /** The name of a host of the cloud that is not enrolled. */
    String enrollableHost();

    /** A network and an address of it that is not enrolled, as its plugin names both. */
    String enrollableFloatingIp();
}
