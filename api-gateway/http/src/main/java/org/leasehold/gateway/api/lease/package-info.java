/** Leases: queries, commands, and the problems of refused commands. */
@NullMarked
package org.leasehold.gateway.api.lease;

import org.jspecify.annotations.NullMarked;
