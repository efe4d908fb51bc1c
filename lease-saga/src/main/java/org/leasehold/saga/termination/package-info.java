/** The end of leases, which releases their resources. */
@NullMarked
package org.leasehold.saga.termination;

import org.jspecify.annotations.NullMarked;
