package org.leasehold.resource.openstack.host;

import org.leasehold.resource.openstack.compute.NovaAggregate;
import org.leasehold.resource.openstack.compute.NovaChanges;

/**
 * The hosts that may be leased, and are not. An operator may have created the aggregate; otherwise
 * the first host that enters it does.
 */
record Freepool(HostIsolation isolation) {

    NovaAggregate findOrCreate(NovaAggregate.Listing before, NovaChanges changes) {
        NovaAggregate pool =
                before.findByName(NovaAggregate.FREEPOOL)
                        .orElseGet(() -> changes.createAggregate(NovaAggregate.FREEPOOL, null));
        // Other values are an operator's decision.
        if (!pool.metadata().keySet().containsAll(isolation.freepoolMetadata().keySet())) {
            changes.setMetadata(pool, isolation.freepoolMetadata());
        }
        return pool;
    }
}
