/** Calls of plug-ins: durable, in order for each reservation, and retried. */
@NullMarked
package org.leasehold.saga.task;

import org.jspecify.annotations.NullMarked;
