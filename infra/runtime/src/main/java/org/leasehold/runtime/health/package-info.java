/** Health checks of the engine and the cloud, and the port for probes. */
@NullMarked
package org.leasehold.runtime.health;

import org.jspecify.annotations.NullMarked;
