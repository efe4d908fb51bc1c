package org.leasehold.resource.openstack;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * A service's response.
 *
 * @param body a missing node if there was none
 */
public record CloudResponse(int status, JsonNode body) {

    /**
     * Parses a time as OpenStack's services write it: in UTC, with or without {@code Z}.
     *
     * @throws java.time.DateTimeException if it is no time
     */
    public static Instant instant(JsonNode text) {
        String time = text.asString("");
        return time.endsWith("Z")
                ? Instant.parse(time)
                : LocalDateTime.parse(time).toInstant(ZoneOffset.UTC);
    }
}
