package org.leasehold.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.UserId;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A thing in the cloud on which is written that it is to be leased.
 *
 * @param thing what the cloud calls it
 * @param project whose it is
 * @param user who made it
 * @param name what its owner calls it
 * @param parameters which thing it is, as a wish says it
 * @param metadata what is written on it; all but what is said here is left out
 */
public record Petition(
        String thing,
        ProjectId project,
        UserId user,
        String name,
        Map<String, @Nullable Object> parameters,
        Map<String, String> metadata) {

    /** The lease that it is to join. */
    public static final String LEASE = "lease_id";

    /** The terms of a lease of its own: a JSON object. */
    public static final String TERMS = "lease_params";

    /** What the engine has to say of that. */
    public static final String ERROR = "lease_error";

    /** The longest text that clouds let be written. */
    public static final int LONGEST = 255;

    public Petition {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        Map<String, String> known = new TreeMap<>(metadata);
        known.keySet().retainAll(Set.of(LEASE, TERMS, ERROR));
        metadata = Collections.unmodifiableMap(known);
    }

    /** Whether anything is asked for. */
    public boolean asks() {
        return asks(metadata);
    }

    /** Whether anything is asked for by what is written on a thing. */
    public static boolean asks(Map<String, String> metadata) {
        return metadata.containsKey(LEASE) || metadata.containsKey(TERMS);
    }

    /** What its owner is told; null for nothing. */
    public @Nullable String told() {
        return metadata.get(ERROR);
    }
}
