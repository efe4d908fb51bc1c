package org.leasehold.resource.openstack;

import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Fence;
import org.leasehold.resource.Acting.Result;

/** What all calls of the adapters' acting halves have in common. */
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

    /** To be asked before each request that changes the cloud. */
    public static void require(Fence fence) {
        if (!fence.holds()) {
            throw new CloudFailure(
                    Fault.Kind.RETRYABLE,
                    CloudFailure.NO_ANSWER,
                    "Another process has finished this call");
        }
    }
}
