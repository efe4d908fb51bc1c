/**
 * The state and the behaviour of a complete simulated cloud, which all plug-ins share. It has its
 * own database schema and its own connections. So it outlives a killed engine, and several nodes
 * share it.
 */
@NullMarked
package org.leasehold.resource.simulator;

import org.jspecify.annotations.NullMarked;
