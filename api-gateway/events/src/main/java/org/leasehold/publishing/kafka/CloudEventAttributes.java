package org.leasehold.publishing.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** The attributes of a CloudEvent in binary mode. */
final class CloudEventAttributes {

    private final Headers headers;

    CloudEventAttributes(Headers headers) {
        this.headers = headers;
    }

    /** Adds the attributes of every CloudEvent. */
    CloudEventAttributes cloudEvent(String source, String id, String type) {
        return with("ce_specversion", "1.0")
                .with("ce_id", id)
                .with("ce_source", source)
                .with("ce_type", type)
                .with("content-type", "application/json");
    }

    /** Adds an attribute; null adds none. */
    CloudEventAttributes with(String name, @Nullable String value) {
        if (value != null) {
            headers.add(name, value.getBytes(UTF_8));
        }
        return this;
    }
}
