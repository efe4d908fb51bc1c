/** The trusts by which the engine acts as those who made leases, until these are over. */
@NullMarked
package org.leasehold.saga.trust;

import org.jspecify.annotations.NullMarked;
