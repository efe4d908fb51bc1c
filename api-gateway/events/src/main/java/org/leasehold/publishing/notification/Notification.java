package org.leasehold.publishing.notification;

import org.leasehold.readmodel.lease.LeaseView;

/**
 * A notification.
 *
 * @param lease the lease right after the event; for a deletion, right before
 */
record Notification(NotificationType notice, LeaseView lease) {}
