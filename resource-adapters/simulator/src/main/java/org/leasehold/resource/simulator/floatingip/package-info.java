/** The plug-in for floating IPs of the simulated cloud. */
@NullMarked
package org.leasehold.resource.simulator.floatingip;

import org.jspecify.annotations.NullMarked;
