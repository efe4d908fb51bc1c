package org.leasehold.resource.identity;

import org.jspecify.annotations.Nullable;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;

/**
 * A revocation of tokens.
 *
 * @param at by the cloud's clock
 * @param event the cloud's complete record of it; distinguishes revocations
 * @param auditId the only token that it revokes; null for more
 * @param user the only user whose tokens it revokes; null for more
 */
public record Revocation(
        Instant at, String event, @Nullable String auditId, @Nullable UserId user) {

    /** Returns whether the identity's token may be revoked; a query to the cloud confirms it. */
    public boolean mayConcern(Identity identity) {
        if (auditId != null) {
            return identity.auditIds().contains(auditId);
        }
        return user == null || identity.users().contains(user);
    }
}
