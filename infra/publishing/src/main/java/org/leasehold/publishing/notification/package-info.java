/** Tells those who listen to Blazar's notifications what happens to leases, over RabbitMQ. */
@NullMarked
package org.leasehold.publishing.notification;

import org.jspecify.annotations.NullMarked;
