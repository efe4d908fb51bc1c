/** The calendar in memory that replays the past for what-if scenarios. */
@NullMarked
package org.leasehold.command.calendar.replay;

import org.jspecify.annotations.NullMarked;
