package org.leasehold.resource.openstack.instance;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Share;
import org.leasehold.resource.Acting;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.Patience;
import org.leasehold.resource.openstack.ProxiedContract;
import org.leasehold.resource.openstack.host.OpenStackHostsProvider;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The contract of all plugins, with instances on hosts that the plugin of hosts enrols. */
abstract class OpenStackInstancesContract extends ProxiedContract {

    private ResourcePlugin hosts;

    @BeforeEach
    void connectHosts() {
        Map<String, String> settings = new HashMap<>(direct());
        settings.put("isolation", "tenancy");
        hosts = new OpenStackHostsProvider().create(settings);
    }

    @AfterEach
    void disconnectHosts() {
        hosts.close();
    }

    @Override
    protected ResourcePlugin plugin(Map<String, String> settings) {
        return plugin(
                CloudSettings.of(settings),
                new Patience(Duration.ofSeconds(60), Duration.ofMillis(10)));
    }

    /** One of the two. */
    ResourcePlugin plugin(CloudSettings settings, Patience patience) {
        return InstancesPlugin.ofSizes(settings, patience);
    }

    @Override
    protected Acting enrolment() {
        return hosts.acting();
    }

    @Override
    protected Allocation held(Allocation whole) {
        return whole.shared(new Share(2, Map.of("VCPU", 2L, "MEMORY_MB", 1_024L, "DISK_GB", 10L)));
    }

    @Override
    protected String unknownName() {
        return "compute-without-a-name";
    }

    @Override
    protected Map<String, @Nullable Object> parameters() {
        return Map.of(
                "vcpus", 2,
                "memory_mb", 1_024,
                "disk_gb", 10,
                "amount", 2,
                "affinity", "none",
                "resource_properties", "");
    }

    @Override
    protected Map<String, @Nullable Object> changes() {
        return Map.of("amount", 3);
    }
}
