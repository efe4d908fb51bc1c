/** Webhooks as those see them who make them. */
@NullMarked
package org.leasehold.query.webhook;

import org.jspecify.annotations.NullMarked;
