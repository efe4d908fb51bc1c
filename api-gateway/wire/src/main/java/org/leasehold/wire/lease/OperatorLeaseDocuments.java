package org.leasehold.wire.lease;

import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.wire.lease.LeaseDocuments.Lease;

import tools.jackson.databind.json.JsonMapper;

/** Leases in the form that administrators see, for senders to other systems. */
public final class OperatorLeaseDocuments {

    private final PluginRendering plugins;
    private final JsonMapper json;

    public OperatorLeaseDocuments(PluginRendering plugins, JsonMapper json) {
        this.plugins = plugins;
        this.json = json;
    }

    /** Returns the same JSON as the response to a query of the lease. */
    public byte[] serialize(LeaseView lease) {
        return json.writeValueAsBytes(Lease.of(lease, plugins));
    }
}
