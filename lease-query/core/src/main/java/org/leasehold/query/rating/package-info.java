/** Costs of leases: their accounts, by the price plans that were in force. */
@NullMarked
package org.leasehold.query.rating;

import org.jspecify.annotations.NullMarked;
