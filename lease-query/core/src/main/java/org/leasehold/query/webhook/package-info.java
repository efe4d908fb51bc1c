/** Webhooks, as their owners see them. */
@NullMarked
package org.leasehold.query.webhook;

import org.jspecify.annotations.NullMarked;
