package org.leasehold.publishing;

import org.leasehold.readmodel.lease.LeaseView;

/** The format of a lease for operators, as over HTTP. */
public interface OperatorLeaseFormat {

    /** Returns JSON, the same as in the response to an administrator. */
    byte[] toJson(LeaseView lease);
}
