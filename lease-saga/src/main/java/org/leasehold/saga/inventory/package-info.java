/** Enrolments and retirements for the cloud, and outages for the leases that have the resource. */
@NullMarked
package org.leasehold.saga.inventory;

import org.jspecify.annotations.NullMarked;
