/** Leases of version 1: requests, responses, and the ids that the cloud assigns. */
@NullMarked
package org.leasehold.gateway.v1.lease;

import org.jspecify.annotations.NullMarked;
