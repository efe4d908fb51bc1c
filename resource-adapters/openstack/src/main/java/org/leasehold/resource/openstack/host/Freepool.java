package org.leasehold.resource.openstack.host;

import org.leasehold.resource.openstack.compute.Aggregate;
import org.leasehold.resource.openstack.compute.NovaChanges;

/**
 * The hosts that may be leased, and are not. An operator may have created the aggregate; otherwise
 * the first host that enters it does.
 */
record Freepool(Isolation isolation) {

    Aggregate ready(Aggregate.Listing before, NovaChanges changes) {
        Aggregate pool =
                before.named(Aggregate.FREEPOOL)
                        .orElseGet(() -> changes.createAggregate(Aggregate.FREEPOOL, null));
        // Other values are an operator's decision.
        if (!pool.metadata().keySet().containsAll(isolation.ofFreepool().keySet())) {
            changes.setMetadata(pool, isolation.ofFreepool());
        }
        return pool;
    }
}
