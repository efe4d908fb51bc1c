package org.leasehold.demo;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The resources of a requested reservation. */
sealed interface RequestedResources {

    ResourceKind kind();

    /** Returns the parameters in the terms of the kind's plug-in. */
    Map<String, @Nullable Object> parameters();

    /**
     * Whole hosts.
     *
     * @param filter the required properties, in Blazar's syntax; empty for any host
     */
    record Hosts(int minimum, int maximum, String filter) implements RequestedResources {

        @Override
        public ResourceKind kind() {
            return ResourceKind.PHYSICAL_HOST;
        }

        @Override
        public Map<String, @Nullable Object> parameters() {
            Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
            parameters.put("min", minimum);
            parameters.put("max", maximum);
            parameters.put("hypervisor_properties", "");
            parameters.put("resource_properties", filter);
            return parameters;
        }
    }

    /** Slots on shared hosts. */
    record Instances(int vcpus, int memoryMb, int diskGb, int amount)
            implements RequestedResources {

        @Override
        public ResourceKind kind() {
            return ResourceKind.VIRTUAL_INSTANCE;
        }

        @Override
        public Map<String, @Nullable Object> parameters() {
            Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
            parameters.put("vcpus", vcpus);
            parameters.put("memory_mb", memoryMb);
            parameters.put("disk_gb", diskGb);
            parameters.put("amount", amount);
            parameters.put("affinity", "none");
            parameters.put("resource_properties", "");
            return parameters;
        }
    }

    /** Addresses of the simulated network. */
    record FloatingIps(int amount) implements RequestedResources {

        @Override
        public ResourceKind kind() {
            return ResourceKind.FLOATING_IP;
        }

        @Override
        public Map<String, @Nullable Object> parameters() {
            Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
            parameters.put("network_id", Fleet.NETWORK);
            parameters.put("amount", amount);
            parameters.put("required_floatingips", List.of());
            return parameters;
        }
    }

    /** A new volume. */
    record Volume(String type, int gib) implements RequestedResources {

        @Override
        public ResourceKind kind() {
            return ResourceKind.VOLUME;
        }

        @Override
        public Map<String, @Nullable Object> parameters() {
            Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
            parameters.put("volume_type", type);
            parameters.put("size", gib);
            parameters.put("name", "scratch");
            return parameters;
        }
    }
}
