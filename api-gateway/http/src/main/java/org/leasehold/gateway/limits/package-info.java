/** Limits on what one client may use of a node, so that others get their share. */
@NullMarked
package org.leasehold.gateway.limits;

import org.jspecify.annotations.NullMarked;
