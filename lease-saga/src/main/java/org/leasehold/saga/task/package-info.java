/** Calls of plugins: durable, in order for each reservation, and tried again. */
@NullMarked
package org.leasehold.saga.task;

import org.jspecify.annotations.NullMarked;
