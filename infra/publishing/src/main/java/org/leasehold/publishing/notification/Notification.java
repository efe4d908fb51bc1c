package org.leasehold.publishing.notification;

import org.leasehold.query.LeaseView;

/**
 * One notification.
 *
 * @param lease as it was known right after what happened; of one that is deleted, right before
 */
record Notification(Notice notice, LeaseView lease) {}
