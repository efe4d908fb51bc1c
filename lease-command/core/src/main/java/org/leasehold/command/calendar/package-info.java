/**
 * The calendar as commands see it: requests, grants, and the exceptions that decide a command
 * again.
 */
@NullMarked
package org.leasehold.command.calendar;

import org.jspecify.annotations.NullMarked;
