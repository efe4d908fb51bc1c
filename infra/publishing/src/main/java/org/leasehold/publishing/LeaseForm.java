package org.leasehold.publishing;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.LeaseView;

import java.util.Map;

/** How a lease is told to those who know Blazar: as over HTTP. */
public interface LeaseForm {

    /** JSON values by Blazar's names, as its project sees them. */
    Map<String, @Nullable Object> fields(LeaseView lease);
}
