/** Names of leases and resources, from their events and from the inventory. */
@NullMarked
package org.leasehold.query.label;

import org.jspecify.annotations.NullMarked;
