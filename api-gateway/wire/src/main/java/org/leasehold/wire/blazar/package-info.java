/** Leases as clients of Blazar see them. */
@NullMarked
package org.leasehold.wire.blazar;

import org.jspecify.annotations.NullMarked;
