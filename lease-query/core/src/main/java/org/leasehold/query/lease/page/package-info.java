/** The statements for pages of leases, each of which finds its index. */
@NullMarked
package org.leasehold.query.lease.page;

import org.jspecify.annotations.NullMarked;
