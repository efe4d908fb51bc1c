/** A lease that is due takes up its resources, or waits for them. */
@NullMarked
package org.leasehold.saga.activation;

import org.jspecify.annotations.NullMarked;
