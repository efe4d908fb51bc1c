/** Free resources and free slots over time, computed from claims. */
@NullMarked
package org.leasehold.command.calendar.timeline;

import org.jspecify.annotations.NullMarked;
