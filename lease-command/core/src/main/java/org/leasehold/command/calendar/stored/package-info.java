/** The calendar in tables: handlers of its requests, the group commit, and the configuration. */
@NullMarked
package org.leasehold.command.calendar.stored;

import org.jspecify.annotations.NullMarked;
