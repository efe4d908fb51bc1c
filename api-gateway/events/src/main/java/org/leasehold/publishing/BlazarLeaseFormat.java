package org.leasehold.publishing;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.lease.LeaseView;

import java.util.Map;

/** The format of a lease for clients of Blazar, as over HTTP. */
public interface BlazarLeaseFormat {

    /** Returns JSON values under Blazar's names, as the lease's project sees them. */
    Map<String, @Nullable Object> fields(LeaseView lease);
}
