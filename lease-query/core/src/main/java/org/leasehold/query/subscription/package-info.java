/** Calendars of projects that others subscribe to by a secret. */
@NullMarked
package org.leasehold.query.subscription;

import org.jspecify.annotations.NullMarked;
