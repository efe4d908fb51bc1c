/** Leases as other systems see them. */
@NullMarked
package org.leasehold.wire.lease;

import org.jspecify.annotations.NullMarked;
