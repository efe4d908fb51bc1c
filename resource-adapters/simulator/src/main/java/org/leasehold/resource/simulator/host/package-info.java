/**
 * The plug-in for whole hosts of the simulated cloud: the freepool and aggregates of reservations.
 */
@NullMarked
package org.leasehold.resource.simulator.host;

import org.jspecify.annotations.NullMarked;
