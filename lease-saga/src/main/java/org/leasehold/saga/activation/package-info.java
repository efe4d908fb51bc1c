/** The start of leases that are due, and their wait for resources. */
@NullMarked
package org.leasehold.saga.activation;

import org.jspecify.annotations.NullMarked;
