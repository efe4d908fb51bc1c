/** Blazar's REST API, version 1: its configuration and errors; hosts and leases are below. */
@NullMarked
package org.leasehold.gateway.v1;

import org.jspecify.annotations.NullMarked;
