package org.leasehold.gateway.v1.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.lease.LeaseView;

import java.util.Map;

/** Leases in Blazar's form, for senders to other systems. */
public final class BlazarLeaseDocuments {

    private final LeaseRendering rendering;

    public BlazarLeaseDocuments(LeaseRendering rendering) {
        this.rendering = rendering;
    }

    /** Returns the same JSON values as the response to a query of the lease. */
    public Map<String, @Nullable Object> fields(LeaseView lease) {
        return rendering.render(lease);
    }
}
