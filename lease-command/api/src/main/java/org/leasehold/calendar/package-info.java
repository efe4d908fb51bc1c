/** What the calendar is asked for, and how it explains that it cannot hold it. */
@NullMarked
package org.leasehold.calendar;

import org.jspecify.annotations.NullMarked;
