/** The timers for the start, the announced end and the end of a lease. */
@NullMarked
package org.leasehold.saga.schedule;

import org.jspecify.annotations.NullMarked;
