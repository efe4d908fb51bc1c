/**
 * A resource that is enrolled or retired is told to the cloud; one that goes down there, to the
 * leases that count on it.
 */
@NullMarked
package org.leasehold.saga.inventory;

import org.jspecify.annotations.NullMarked;
