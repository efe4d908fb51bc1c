package org.leasehold.gateway.api.resource;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/** Requests about the inventory. */
public final class ResourceRequestBodies {

    private ResourceRequestBodies() {}

    /**
     * A request to make a resource of the cloud leasable.
     *
     * @param name its name in the cloud
     * @param capabilities the operator's properties, in addition to those of the cloud
     */
    record ResourceRequest(
            @NotBlank @Size(min = 1, max = 64) String kind,
            @NotBlank @Size(min = 1, max = 255) String name,
            @Nullable @Size(max = 100)
                    Map<@NotBlank @Size(min = 1, max = 64) String, @Size(max = 255) String>
                            capabilities) {}

    /**
     * A change of capabilities, applied as a whole or not at all.
     *
     * @param set capabilities to add or to overwrite
     * @param remove capabilities to remove; a missing one is no error
     */
    record ResourceChange(
            @Nullable @Size(max = 100)
                    Map<@NotBlank @Size(min = 1, max = 64) String, @Size(max = 255) String> set,
            @Nullable @Size(max = 100) List<@NotBlank @Size(min = 1, max = 64) String> remove) {

        boolean isEmpty() {
            return (set == null || set.isEmpty()) && (remove == null || remove.isEmpty());
        }
    }

    /** A request to take a resource out of service; its leases show the reason. */
    record Disablement(@NotBlank @Size(min = 1, max = 500) String reason) {}

    /** A change of the visibility of a property. */
    record PropertyChange(@NotNull Boolean hidden) {}
}
