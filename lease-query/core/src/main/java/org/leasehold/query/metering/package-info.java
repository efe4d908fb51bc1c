/** Usage of leases, in records that add up. */
@NullMarked
package org.leasehold.query.metering;

import org.jspecify.annotations.NullMarked;
