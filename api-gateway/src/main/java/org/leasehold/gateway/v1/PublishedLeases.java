package org.leasehold.gateway.v1;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.LeaseView;

import java.util.Map;

/** Leases as Blazar shows them, for those who send them elsewhere. */
public final class PublishedLeases {

    private final LeaseRendering rendering;

    PublishedLeases(LeaseRendering rendering) {
        this.rendering = rendering;
    }

    /** JSON values, the same as in an answer to who asks for the lease. */
    public Map<String, @Nullable Object> fields(LeaseView lease) {
        return rendering.render(lease);
    }
}
