/** Accounts of leases: the promised and the given resources, to the microsecond. */
@NullMarked
package org.leasehold.query.account;

import org.jspecify.annotations.NullMarked;
