package org.leasehold.seal;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * An event with all fields that its seal covers.
 *
 * @param payload JSON
 * @param metadata JSON; fields that may be erased are left out of the line
 */
public record EventEnvelope(
        long position,
        UUID id,
        String streamType,
        String stream,
        long sequence,
        String name,
        int version,
        String payload,
        String metadata,
        Instant decided,
        Instant recorded) {

    /** Metadata that may be erased later; an erasure must not look like a manipulation. */
    private static final Set<String> ERASABLE = Set.of("origin");

    /** Returns its canonical form, which is hashed, and is a line of an export. */
    public String line() {
        Map<String, @Nullable Object> line = new TreeMap<>();
        line.put("position", position);
        line.put("id", id.toString());
        line.put("streamType", streamType);
        line.put("stream", stream);
        line.put("sequence", sequence);
        line.put("name", name);
        line.put("version", (long) version);
        line.put("payload", JsonCanonical.read(payload));
        line.put("metadata", withoutErasable(JsonCanonical.read(metadata)));
        line.put("decided", decided.toString());
        line.put("recorded", recorded.toString());
        return JsonCanonical.write(line);
    }

    private static @Nullable Object withoutErasable(@Nullable Object metadata) {
        if (metadata instanceof Map<?, ?> members) {
            members.keySet().removeIf(ERASABLE::contains);
        }
        return metadata;
    }
}
