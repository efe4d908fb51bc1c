/** Compares what the cloud holds with what the engine says that it should. */
@NullMarked
package org.leasehold.saga.reconciliation;

import org.jspecify.annotations.NullMarked;
