/** The plug-in for volumes of the simulated cloud. */
@NullMarked
package org.leasehold.resource.simulator.volume;

import org.jspecify.annotations.NullMarked;
