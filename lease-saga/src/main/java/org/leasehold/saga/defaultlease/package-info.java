/** Default leases: servers that have no lease get one, and so end by themselves. */
@NullMarked
package org.leasehold.saga.defaultlease;

import org.jspecify.annotations.NullMarked;
