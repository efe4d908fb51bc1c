/** Calendar of bookings, and its feeds. */
@NullMarked
package org.leasehold.readmodel.calendar;

import org.jspecify.annotations.NullMarked;
