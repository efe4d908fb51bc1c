package org.leasehold.resource.openstack;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * What a service answered.
 *
 * @param body a missing node when there was none
 */
public record Answer(int status, JsonNode body) {

    /**
     * A time as OpenStack's services write it: in UTC, and not all of them say so.
     *
     * @throws java.time.DateTimeException if it is none
     */
    public static Instant instant(JsonNode text) {
        String time = text.asString("");
        return time.endsWith("Z")
                ? Instant.parse(time)
                : LocalDateTime.parse(time).toInstant(ZoneOffset.UTC);
    }
}
