package org.leasehold.publishing.notification;

/** The types of Blazar's notifications. */
enum NotificationType {
    CREATE("lease.create"),
    UPDATE("lease.update"),
    DELETE("lease.delete"),
    START("lease.event.start_lease"),
    END("lease.event.end_lease"),
    BEFORE_END("lease.event.before_end_lease"),
    /** The announcement of the end was made, and will be repeated. */
    BEFORE_END_STOP("lease.event.before_end_lease.stop");

    private final String eventType;

    NotificationType(String eventType) {
        this.eventType = eventType;
    }

    String eventType() {
        return eventType;
    }
}
