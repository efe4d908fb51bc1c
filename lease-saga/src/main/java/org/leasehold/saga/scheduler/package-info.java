/** Durable work that becomes due, with db-scheduler on a table of our own. */
@NullMarked
package org.leasehold.saga.scheduler;

import org.jspecify.annotations.NullMarked;
