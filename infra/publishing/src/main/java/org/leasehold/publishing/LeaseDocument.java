package org.leasehold.publishing;

import org.leasehold.query.LeaseView;

/** How a lease is told to operators: as over HTTP. */
public interface LeaseDocument {

    /** As JSON, the same as in the answer to an administrator who asks for it. */
    byte[] of(LeaseView lease);
}
