/** Leases that wait for others to let go of resources. */
@NullMarked
package org.leasehold.saga.waiting;

import org.jspecify.annotations.NullMarked;
