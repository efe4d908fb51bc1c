/** What leases had of what they were promised, to the microsecond. */
@NullMarked
package org.leasehold.query.account;

import org.jspecify.annotations.NullMarked;
