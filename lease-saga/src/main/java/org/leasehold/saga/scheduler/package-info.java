/** Work that is due some day and survives the process: db-scheduler on a table of ours. */
@NullMarked
package org.leasehold.saga.scheduler;

import org.jspecify.annotations.NullMarked;
