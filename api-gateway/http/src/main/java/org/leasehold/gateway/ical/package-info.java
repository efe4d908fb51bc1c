/** Calendars as files that other programs read (RFC 5545). */
@NullMarked
package org.leasehold.gateway.ical;

import org.jspecify.annotations.NullMarked;
