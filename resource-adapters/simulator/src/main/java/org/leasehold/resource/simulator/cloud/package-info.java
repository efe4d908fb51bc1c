/** The simulated cloud as its users and operators see it, with a report for scripts. */
@NullMarked
package org.leasehold.resource.simulator.cloud;

import org.jspecify.annotations.NullMarked;
