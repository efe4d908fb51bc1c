/** Polls of the cloud's inventory, and of the use of its resources. */
@NullMarked
package org.leasehold.saga.watch;

import org.jspecify.annotations.NullMarked;
