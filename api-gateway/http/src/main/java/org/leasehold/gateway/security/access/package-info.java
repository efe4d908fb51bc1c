/** Access rules: logins with passwords, policy, limits per caller, and the record of denials. */
@NullMarked
package org.leasehold.gateway.security.access;

import org.jspecify.annotations.NullMarked;
