package org.leasehold.gateway.api.resource;

import org.leasehold.inventory.ResourceId;

import java.util.Optional;

/** Reads resource ids in paths. */
final class ResourceIds {

    private ResourceIds() {}

    static Optional<ResourceId> of(long number) {
        return number > 0 ? Optional.of(new ResourceId(number)) : Optional.empty();
    }
}
