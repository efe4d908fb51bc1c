/**
 * The index of claims in the memory of a node, kept up to date from events, and the queries about
 * availability.
 */
@NullMarked
package org.leasehold.command.calendar.index;

import org.jspecify.annotations.NullMarked;
