/** Deliveries of events to the webhooks of projects. */
@NullMarked
package org.leasehold.publishing.webhook;

import org.jspecify.annotations.NullMarked;
