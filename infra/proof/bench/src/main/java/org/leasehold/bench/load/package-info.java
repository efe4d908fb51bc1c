/** Clients that send requests at a given rate and measure the answers. */
@NullMarked
package org.leasehold.bench.load;

import org.jspecify.annotations.NullMarked;
