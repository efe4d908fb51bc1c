package org.leasehold.gateway.api;

import org.leasehold.gateway.api.LeaseAnswers.Lease;
import org.leasehold.query.LeaseView;

import tools.jackson.databind.json.JsonMapper;

/** Leases as an administrator reads them, for those who send them elsewhere. */
public final class LeaseDocuments {

    private final Kinds kinds;
    private final JsonMapper json;

    LeaseDocuments(Kinds kinds, JsonMapper json) {
        this.kinds = kinds;
        this.json = json;
    }

    /** The same JSON as in the answer to who asks for the lease. */
    public byte[] of(LeaseView lease) {
        return json.writeValueAsBytes(Lease.of(lease, kinds));
    }
}
