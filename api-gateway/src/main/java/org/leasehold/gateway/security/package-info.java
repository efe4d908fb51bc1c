/** Who asks, and whether they may. */
@NullMarked
package org.leasehold.gateway.security;

import org.jspecify.annotations.NullMarked;
