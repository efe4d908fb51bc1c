/** The confirmation and explanation of refusals, with the search for the next possible starts. */
@NullMarked
package org.leasehold.command.calendar.refusal;

import org.jspecify.annotations.NullMarked;
