package org.leasehold.gateway.security;

import org.leasehold.vocabulary.UserId;

/**
 * A known user whose token gives them no role here.
 *
 * @param why the rest of a sentence that denies access
 */
public record UserWithoutRole(UserId user, String why) {}
