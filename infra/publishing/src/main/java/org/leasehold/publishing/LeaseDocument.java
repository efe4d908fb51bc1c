package org.leasehold.publishing;

import org.leasehold.query.LeaseView;

/** The format of a lease for operators, as over HTTP. */
public interface LeaseDocument {

    /** Returns JSON, the same as in the response to an administrator. */
    byte[] of(LeaseView lease);
}
