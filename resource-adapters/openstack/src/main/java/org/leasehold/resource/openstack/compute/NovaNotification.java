package org.leasehold.resource.openstack.compute;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The part of a notification of Nova that the engine uses.
 *
 * @param eventType such as {@code service.update} or {@code instance.create.end}
 */
record NovaNotification(String eventType) {

    private static final JsonMapper JSON = new JsonMapper();

    /**
     * Parses the envelope of oslo.messaging, which holds the notification as a JSON text.
     *
     * @throws JacksonException if it is none
     */
    static NovaNotification parse(byte[] body) {
        String notification = JSON.readTree(body).required("oslo.message").asString();
        return new NovaNotification(JSON.readTree(notification).required("event_type").asString());
    }

    /** Returns whether a service was created, enabled, disabled, forced down or deleted. */
    boolean isServiceChange() {
        return eventType.startsWith("service.");
    }
}
