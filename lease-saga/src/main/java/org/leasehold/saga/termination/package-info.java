/** A lease that ends gives its resources back. */
@NullMarked
package org.leasehold.saga.termination;

import org.jspecify.annotations.NullMarked;
