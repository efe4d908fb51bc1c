package org.leasehold.gateway.api;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/** What can be asked of the inventory. */
final class ResourceForms {

    private ResourceForms() {}

    /**
     * Makes a resource of the cloud leasable.
     *
     * @param name what the cloud calls it
     * @param capabilities what the operator says of it, beside what the cloud says
     */
    record NewResource(
            @NotBlank @Size(min = 1, max = 64) String kind,
            @NotBlank @Size(min = 1, max = 255) String name,
            @Nullable @Size(max = 100)
                    Map<@NotBlank @Size(min = 1, max = 64) String, @Size(max = 255) String>
                            capabilities) {}

    /**
     * Sets and removes capabilities: all of it or nothing.
     *
     * @param set capabilities to add or to overwrite
     * @param remove capabilities to remove; those that it has not are no error
     */
    record ResourceChange(
            @Nullable @Size(max = 100)
                    Map<@NotBlank @Size(min = 1, max = 64) String, @Size(max = 255) String> set,
            @Nullable @Size(max = 100) List<@NotBlank @Size(min = 1, max = 64) String> remove) {

        boolean isEmpty() {
            return (set == null || set.isEmpty()) && (remove == null || remove.isEmpty());
        }
    }

    /** Why a resource goes out of service; its leases are told. */
    record Disablement(@NotBlank @Size(min = 1, max = 500) String reason) {}

    /** Who may see that a property exists. */
    record PropertyChange(@NotNull Boolean hidden) {}
}
