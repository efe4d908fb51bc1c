package org.leasehold.resource.openstack.host;

import org.leasehold.resource.openstack.compute.Aggregate;
import org.leasehold.resource.openstack.compute.NovaChanges;

/**
 * The hosts that may be leased, and are not. An operator may have made it; otherwise it is made
 * with the first host that enters it.
 */
record Freepool(Isolation isolation) {

    Aggregate ready(Aggregate.Listing before, NovaChanges changes) {
        Aggregate pool =
                before.named(Aggregate.FREEPOOL)
                        .orElseGet(() -> changes.createAggregate(Aggregate.FREEPOOL, null));
        // Whoever says something else there knows why.
        if (!pool.metadata().keySet().containsAll(isolation.ofFreepool().keySet())) {
            changes.setMetadata(pool, isolation.ofFreepool());
        }
        return pool;
    }
}
