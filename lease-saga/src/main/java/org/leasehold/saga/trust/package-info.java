/** The trusts with which the engine acts as the creators of leases, until these end. */
@NullMarked
package org.leasehold.saga.trust;

import org.jspecify.annotations.NullMarked;
