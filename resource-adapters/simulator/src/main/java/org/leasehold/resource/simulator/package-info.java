/**
 * A whole simulated cloud. It lives in a database schema of its own and is reached through its own
 * connections, so that it outlives a killed engine and is one and the same for several nodes.
 */
@NullMarked
package org.leasehold.resource.simulator;

import org.jspecify.annotations.NullMarked;
