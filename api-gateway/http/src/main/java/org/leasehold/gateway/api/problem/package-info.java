/** Problem details (RFC 9457) and the exception that carries one to the caller. */
@NullMarked
package org.leasehold.gateway.api.problem;

import org.jspecify.annotations.NullMarked;
