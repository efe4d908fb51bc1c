package org.leasehold.resource.openstack;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Fence;
import org.openstack4j.api.OSClient.OSClientV3;

import java.util.function.Function;

/** The cloud as long as the fence holds; for each request that changes something. */
public record Fenced(Cloud cloud, Fence fence) {

    /** As {@link RestClient#send}. */
    public Answer send(Request request) {
        requireFence();
        return cloud.rest().send(request);
    }

    /** As {@link Cloud#call}. */
    public <T extends @Nullable Object> T call(String service, Function<OSClientV3, T> call) {
        requireFence();
        return cloud.call(service, call);
    }

    private void requireFence() {
        if (!fence.holds()) {
            throw new CloudFailure(
                    Fault.Kind.RETRYABLE,
                    CloudFailure.NO_ANSWER,
                    "Another process has finished this call");
        }
    }
}
