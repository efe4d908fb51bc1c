/** Commands of requests: their context, idempotency keys, and the submission of leases. */
@NullMarked
package org.leasehold.gateway.command;

import org.jspecify.annotations.NullMarked;
