package org.leasehold.gateway.api;

import org.leasehold.gateway.api.LeaseAnswers.Lease;
import org.leasehold.query.LeaseView;

import tools.jackson.databind.json.JsonMapper;

/** Leases in the form that administrators see, for senders to other systems. */
public final class LeaseDocuments {

    private final Kinds kinds;
    private final JsonMapper json;

    LeaseDocuments(Kinds kinds, JsonMapper json) {
        this.kinds = kinds;
        this.json = json;
    }

    /** Returns the same JSON as the response to a query of the lease. */
    public byte[] of(LeaseView lease) {
        return json.writeValueAsBytes(Lease.of(lease, kinds));
    }
}
