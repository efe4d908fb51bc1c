/**
 * Calendars of projects that others subscribe to by a secret, and what was done to subscriptions.
 */
@NullMarked
package org.leasehold.query.subscription;

import org.jspecify.annotations.NullMarked;
