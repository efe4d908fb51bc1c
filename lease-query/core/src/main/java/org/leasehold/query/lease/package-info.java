/**
 * Leases as their projects see them, folded from their events in the transaction of the command.
 */
@NullMarked
package org.leasehold.query.lease;

import org.jspecify.annotations.NullMarked;
