/** The plug-in for stacks of the simulated cloud. */
@NullMarked
package org.leasehold.resource.simulator.stack;

import org.jspecify.annotations.NullMarked;
