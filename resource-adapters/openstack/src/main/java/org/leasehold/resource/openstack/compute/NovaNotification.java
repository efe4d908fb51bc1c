package org.leasehold.resource.openstack.compute;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import java.util.Set;

/**
 * The part of a notification of Nova that the engine uses.
 *
 * @param eventType such as {@code service.update} or {@code instance.create.end}
 */
record NovaNotification(String eventType) {

    /**
     * The ends of actions after which a server appears in a listing, is in use again, or is gone.
     * Nova sends many more notifications of a server: each step of an action has some.
     */
    private static final Set<String> SERVER_CHANGES =
            Set.of("instance.create.end", "instance.unshelve.end", "instance.delete.end");

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

    /** Returns whether a server was created, unshelved or deleted. */
    boolean isServerChange() {
        return SERVER_CHANGES.contains(eventType);
    }
}
