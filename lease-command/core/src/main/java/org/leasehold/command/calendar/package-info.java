/**
 * The calendar: claims and holders of resources, grants, explanations of refusals, and free time.
 */
@NullMarked
package org.leasehold.command.calendar;

import org.jspecify.annotations.NullMarked;
