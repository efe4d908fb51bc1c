/** What leases have had, in records that are added up. */
@NullMarked
package org.leasehold.query.metering;

import org.jspecify.annotations.NullMarked;
