/** Leases that wait for others to release resources. */
@NullMarked
package org.leasehold.saga.waiting;

import org.jspecify.annotations.NullMarked;
