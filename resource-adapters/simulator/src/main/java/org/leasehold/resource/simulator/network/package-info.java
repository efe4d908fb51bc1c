/** The plug-in for networks of the simulated cloud. */
@NullMarked
package org.leasehold.resource.simulator.network;

import org.jspecify.annotations.NullMarked;
