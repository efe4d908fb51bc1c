package org.leasehold.gateway.api.lease;

import org.leasehold.gateway.api.lease.LeaseResponses.Lease;
import org.leasehold.gateway.api.resource.PluginFacade;
import org.leasehold.readmodel.lease.LeaseView;

import tools.jackson.databind.json.JsonMapper;

/** Leases in the form that administrators see, for senders to other systems. */
public final class OperatorLeaseDocuments {

    private final PluginFacade kinds;
    private final JsonMapper json;

    public OperatorLeaseDocuments(PluginFacade kinds, JsonMapper json) {
        this.kinds = kinds;
        this.json = json;
    }

    /** Returns the same JSON as the response to a query of the lease. */
    public byte[] serialize(LeaseView lease) {
        return json.writeValueAsBytes(Lease.of(lease, kinds));
    }
}
