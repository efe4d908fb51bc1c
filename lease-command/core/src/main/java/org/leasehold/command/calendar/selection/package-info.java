/** The selection of resources for all reservations of a request together. */
@NullMarked
package org.leasehold.command.calendar.selection;

import org.jspecify.annotations.NullMarked;
