/** Webhooks and the changes of subscriptions. */
@NullMarked
package org.leasehold.readmodel.subscription;

import org.jspecify.annotations.NullMarked;
