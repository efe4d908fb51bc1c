/** Invariants of every history of leases, checked by the events alone. */
@NullMarked
package org.leasehold.invariants;

import org.jspecify.annotations.NullMarked;
