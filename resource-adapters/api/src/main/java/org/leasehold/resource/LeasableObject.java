package org.leasehold.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * An object in the cloud that can be leased, such as a server.
 *
 * @param kind the kind of reservation that leases it
 * @param id the cloud's id of it
 * @param project the project that owns it
 * @param user the user who created it
 * @param flavor the name of its flavor; empty if it has none
 * @param metadata its metadata, by key; only operators' rules read it
 * @param createdAt the time of its creation in the cloud; null if the cloud does not say
 * @param state whether it can be leased now
 * @param obstacle the reason why it cannot be leased at its present location, such as a host that
 *     is leased as a whole; null for none
 */
public record LeasableObject(
        ResourceKind kind,
        String id,
        ProjectId project,
        UserId user,
        String flavor,
        Map<String, String> metadata,
        @Nullable Instant createdAt,
        State state,
        @Nullable String obstacle) {

    public LeasableObject {
        metadata = Collections.unmodifiableMap(new TreeMap<>(metadata));
    }

    /** The state of an object. */
    public enum State {
        /** It takes capacity, and the engine can lease it. */
        READY,
        /** The cloud is still changing it, or it is broken. */
        UNREADY,
        /** It is shelved, and takes no capacity. */
        SHELVED
    }
}
