/** The tables of claims on resources and of their current holders. */
@NullMarked
package org.leasehold.command.calendar.claim;

import org.jspecify.annotations.NullMarked;
