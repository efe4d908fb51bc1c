/** The expected rows of the calendar, computed from events to verify the tables. */
@NullMarked
package org.leasehold.command.calendar.verification;

import org.jspecify.annotations.NullMarked;
