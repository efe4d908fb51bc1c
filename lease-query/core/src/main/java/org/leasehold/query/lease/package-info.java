/** Leases as their projects see them, computed from events in the transaction of the command. */
@NullMarked
package org.leasehold.query.lease;

import org.jspecify.annotations.NullMarked;
