package org.leasehold.publishing.notification;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.leasehold.wire.blazar.LeaseRendering;

import tools.jackson.databind.json.JsonMapper;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** A notification in the envelope 2.0 of oslo.messaging. */
final class OsloEnvelope {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** The format of a time in Python. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private final String publisher;
    private final LeaseRendering leases;

    OsloEnvelope(String publisher, LeaseRendering leases) {
        this.publisher = publisher;
        this.leases = leases;
    }

    /** Returns an id that is the same for each repeat, so that listeners can detect it. */
    static UUID id(Entry event, NotificationType notice) {
        return UUID.nameUUIDFromBytes((event.id() + " " + notice.eventType()).getBytes(UTF_8));
    }

    byte[] wrap(Entry event, Notification notification) {
        UUID id = id(event, notification.notice());
        Map<String, @Nullable Object> message = new LinkedHashMap<>();
        message.put("message_id", id.toString());
        message.put("publisher_id", publisher);
        message.put("event_type", notification.notice().eventType());
        message.put("priority", "INFO");
        message.put("payload", payload(notification));
        message.put("timestamp", time(event.decidedAt()));
        // A listener of oslo.messaging uses this id to omit a repeated message.
        message.put("_unique_id", id.toString().replace("-", ""));
        message.put("_context_user_id", event.user());
        message.put("_context_project_id", notification.lease().projectId().value());
        message.put("_context_request_id", event.requestId());
        return JSON.writeValueAsBytes(
                Map.of("oslo.version", "2.0", "oslo.message", JSON.writeValueAsString(message)));
    }

    /** Renames the lease's id, which has another name here than in the API. */
    private Map<String, @Nullable Object> payload(Notification notification) {
        Map<String, @Nullable Object> payload = new LinkedHashMap<>();
        payload.put("lease_id", notification.lease().id().toString());
        payload.putAll(leases.render(notification.lease()));
        payload.remove("id");
        return payload;
    }

    private static String time(Instant instant) {
        return TIME.format(instant);
    }
}
