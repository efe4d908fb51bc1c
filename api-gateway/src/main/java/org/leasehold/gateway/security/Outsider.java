package org.leasehold.gateway.security;

import org.leasehold.lease.UserId;

/** Somebody who is known, but whose token gives them no role here in any project. */
record Outsider(UserId user) {}
