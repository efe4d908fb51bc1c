package org.leasehold.resource.openstack.compute;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * What Nova tells, as little of it as anybody here believes.
 *
 * @param eventType such as {@code service.update} or {@code instance.create.end}
 */
record Notification(String eventType) {

    private static final JsonMapper JSON = new JsonMapper();

    /**
     * Reads the envelope of oslo.messaging, which has the notification as a text in JSON.
     *
     * @throws JacksonException if it is none
     */
    static Notification parse(byte[] body) {
        String notification = JSON.readTree(body).required("oslo.message").asString();
        return new Notification(JSON.readTree(notification).required("event_type").asString());
    }

    /** A service was made, enabled, disabled, forced down or deleted. */
    boolean isOfService() {
        return eventType.startsWith("service.");
    }
}
