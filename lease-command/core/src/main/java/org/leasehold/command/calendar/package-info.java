/** Who holds what and when: grants, explanations of refusals, and when something is free. */
@NullMarked
package org.leasehold.command.calendar;

import org.jspecify.annotations.NullMarked;
