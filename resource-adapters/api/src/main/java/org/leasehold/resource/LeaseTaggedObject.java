package org.leasehold.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * An object in the cloud with a lease tag: its owner requests a lease of it.
 *
 * @param thing the cloud's id of it
 * @param project the project that owns it
 * @param user the user who created it
 * @param name its owner's name for it
 * @param parameters the parameters of a request that name the object
 * @param metadata its metadata; all keys but those declared here are dropped
 */
public record LeaseTaggedObject(
        String thing,
        ProjectId project,
        UserId user,
        String name,
        Map<String, @Nullable Object> parameters,
        Map<String, String> metadata) {

    /** The key of the lease that it is to join. */
    public static final String LEASE = "lease_id";

    /** The key of the terms of a new lease for it: a JSON object. */
    public static final String TERMS = "lease_params";

    /** The key of the engine's error message for the owner. */
    public static final String ERROR = "lease_error";

    /** The longest text that clouds accept as metadata. */
    public static final int MAX_TEXT_LENGTH = 255;

    public LeaseTaggedObject {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        Map<String, String> known = new TreeMap<>(metadata);
        known.keySet().retainAll(Set.of(LEASE, TERMS, ERROR));
        metadata = Collections.unmodifiableMap(known);
    }

    /** Returns whether the thing requests a lease. */
    public boolean hasLeaseTag() {
        return hasLeaseTag(metadata);
    }

    /** Returns whether a thing with this metadata requests a lease. */
    public static boolean hasLeaseTag(Map<String, String> metadata) {
        return metadata.containsKey(LEASE) || metadata.containsKey(TERMS);
    }

    /** Returns the error message that its owner sees; null for none. */
    public @Nullable String error() {
        return metadata.get(ERROR);
    }
}
