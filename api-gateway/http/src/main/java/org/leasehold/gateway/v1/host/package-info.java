/** Hosts of version 1: hosts, their properties, and their allocations. */
@NullMarked
package org.leasehold.gateway.v1.host;

import org.jspecify.annotations.NullMarked;
