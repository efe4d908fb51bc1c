package org.leasehold.resource.openstack;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Fence;
import org.openstack4j.api.OSClient.OSClientV3;

import java.util.function.Function;

/** The cloud behind a fence, for requests that change something. */
public record FencedCloud(Cloud cloud, Fence fence) {

    /** Checks the fence, then calls {@link RestClient#send}. */
    public CloudResponse send(CloudRequest request) {
        requireFence();
        return cloud.rest().send(request);
    }

    /** Checks the fence, then calls {@link Cloud#call}. */
    public <T extends @Nullable Object> T call(String service, Function<OSClientV3, T> call) {
        requireFence();
        return cloud.call(service, call);
    }

    private void requireFence() {
        if (!fence.isValid()) {
            throw new CloudFailure(
                    Fault.Kind.RETRYABLE,
                    CloudFailure.NO_ANSWER,
                    "Another process has finished this call");
        }
    }
}
