/** Requests to the calendar, and its explanations of shortages. */
@NullMarked
package org.leasehold.calendar;

import org.jspecify.annotations.NullMarked;
