/** Webhooks: registration, state, and failed deliveries. */
@NullMarked
package org.leasehold.gateway.api.webhook;

import org.jspecify.annotations.NullMarked;
