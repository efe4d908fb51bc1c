package org.leasehold.saga;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Ids that follow from a name, so that a repeated request has the same ids. */
public final class NameBasedId {

    private NameBasedId() {}

    /** Returns the UUID of version 3 of a name; equal names have equal ones. */
    public static UUID of(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }
}
