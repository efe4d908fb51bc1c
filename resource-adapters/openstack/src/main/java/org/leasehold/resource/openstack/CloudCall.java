package org.leasehold.resource.openstack;

import org.leasehold.resource.Acting.Result;

/** A call of an adapter's acting half. */
public final class CloudCall {

    private CloudCall() {}

    /** Does it; what the cloud answers instead is the call's result. */
    public static Result done(Runnable call) {
        try {
            call.run();
            return new Result.Done();
        } catch (CloudFailure failure) {
            return new Result.Failed(failure.fault());
        }
    }
}
