/** Leases with their reservations and history. */
@NullMarked
package org.leasehold.readmodel.lease;

import org.jspecify.annotations.NullMarked;
