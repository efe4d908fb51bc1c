/** Comparison of the cloud with the engine's state. */
@NullMarked
package org.leasehold.saga.reconciliation;

import org.jspecify.annotations.NullMarked;
