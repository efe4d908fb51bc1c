package org.leasehold.resource.identity;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.UserId;

import java.time.Instant;

/**
 * Tokens that were valid and are no longer.
 *
 * @param at by the cloud's clock
 * @param event all that the cloud says of it; tells one revocation from another
 * @param auditId the only token that is meant; null for more
 * @param user the only user whose tokens are meant; null for more
 */
public record Revocation(
        Instant at, String event, @Nullable String auditId, @Nullable UserId user) {

    /** Whether somebody's token may be among those; asking the cloud again tells. */
    public boolean mayConcern(Identity identity) {
        if (auditId != null) {
            return identity.auditIds().contains(auditId);
        }
        return user == null || identity.users().contains(user);
    }
}
