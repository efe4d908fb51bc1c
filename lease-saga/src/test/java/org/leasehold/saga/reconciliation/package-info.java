@NullMarked
package org.leasehold.saga.reconciliation;

import org.jspecify.annotations.NullMarked;
