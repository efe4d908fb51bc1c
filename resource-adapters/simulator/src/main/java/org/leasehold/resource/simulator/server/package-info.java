/** The plug-in for servers that projects of the simulated cloud have already. */
@NullMarked
package org.leasehold.resource.simulator.server;

import org.jspecify.annotations.NullMarked;
