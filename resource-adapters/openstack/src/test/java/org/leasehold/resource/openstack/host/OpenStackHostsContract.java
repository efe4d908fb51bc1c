package org.leasehold.resource.openstack.host;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.Patience;
import org.leasehold.resource.openstack.ProxiedContract;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The contract of all plugins, with hosts. */
abstract class OpenStackHostsContract extends ProxiedContract {

    abstract Isolation isolation();

    @Override
    protected ResourcePlugin plugin(Map<String, String> settings) {
        return OpenStackHostsProvider.create(
                isolation(),
                CloudSettings.of(settings),
                new Patience(Duration.ofSeconds(60), Duration.ofMillis(10)));
    }

    @Override
    protected List<String> described() {
        return resourceNames();
    }

    @Override
    protected String unknownName() {
        return "compute-without-a-name";
    }

    @Override
    protected Map<String, @Nullable Object> parameters() {
        return Map.of(
                "min", 1,
                "max", 2,
                "hypervisor_properties", "[\">=\", \"$vcpus\", \"16\"]",
                "resource_properties", "",
                "before_end", "snapshot");
    }

    @Override
    protected Map<String, @Nullable Object> changes() {
        return Map.of("max", 3);
    }
}
