/** The cached inventory from which the calendar chooses resources. */
@NullMarked
package org.leasehold.command.calendar.inventory;

import org.jspecify.annotations.NullMarked;
