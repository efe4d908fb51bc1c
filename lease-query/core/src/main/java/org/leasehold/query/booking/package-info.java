/**
 * The promised, the given and the held resources of leases, at every instant, derived from their
 * events.
 */
@NullMarked
package org.leasehold.query.booking;

import org.jspecify.annotations.NullMarked;
