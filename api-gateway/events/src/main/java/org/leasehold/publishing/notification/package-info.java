/** Publications of Blazar's notifications about leases, over RabbitMQ. */
@NullMarked
package org.leasehold.publishing.notification;

import org.jspecify.annotations.NullMarked;
