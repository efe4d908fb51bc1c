/** Blazar's REST API, version 1, as its clients know it. */
@NullMarked
package org.leasehold.gateway.v1;

import org.jspecify.annotations.NullMarked;
