/** The plug-ins for instances and flavors on shared hosts of the simulated cloud. */
@NullMarked
package org.leasehold.resource.simulator.instance;

import org.jspecify.annotations.NullMarked;
