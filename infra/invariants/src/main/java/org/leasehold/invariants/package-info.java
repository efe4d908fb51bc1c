/** What must hold in every history of leases, told from the events alone. */
@NullMarked
package org.leasehold.invariants;

import org.jspecify.annotations.NullMarked;
