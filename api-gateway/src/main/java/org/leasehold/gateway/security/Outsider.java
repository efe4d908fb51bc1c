package org.leasehold.gateway.security;

import org.leasehold.lease.UserId;

/**
 * Somebody who is known, but whose token gives them no role here.
 *
 * @param why the rest of a sentence that refuses them
 */
record Outsider(UserId user, String why) {}
