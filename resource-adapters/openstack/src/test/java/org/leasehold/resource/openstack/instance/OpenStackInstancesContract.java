package org.leasehold.resource.openstack.instance;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Share;
import org.leasehold.resource.Acting;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginContract;
import org.leasehold.resource.openstack.CloudProxy;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.Patience;
import org.leasehold.resource.openstack.host.OpenStackHostsProvider;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The contract of all plugins, of which any request may go wrong on its way to the cloud. */
abstract class OpenStackInstancesContract extends ResourcePluginContract {

    private CloudProxy proxy;
    private ResourcePlugin plugin;
    private ResourcePlugin hosts;

    /** The cloud's Keystone, and who the engine is there. */
    abstract Map<String, String> cloud();

    @BeforeEach
    void connect() throws IOException {
        proxy = new CloudProxy();
        Map<String, String> settings = new HashMap<>(cloud());
        Map<String, String> ofHosts = new HashMap<>(settings);
        ofHosts.put("isolation", "tenancy");
        hosts = new OpenStackHostsProvider().create(ofHosts);
        settings.computeIfPresent("auth-url", (_, url) -> proxy.before(URI.create(url)).toString());
        plugin =
                plugin(
                        CloudSettings.of(settings),
                        new Patience(Duration.ofSeconds(60), Duration.ofMillis(10)));
    }

    /** One of the two. */
    ResourcePlugin plugin(CloudSettings settings, Patience patience) {
        return InstancesPlugin.ofSizes(settings, patience);
    }

    @AfterEach
    void disconnect() {
        plugin.close();
        hosts.close();
        proxy.close();
    }

    @Override
    protected ResourcePlugin plugin() {
        return plugin;
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

    @Override
    protected Optional<CloudFaults> faults() {
        return Optional.of(proxy);
    }
}
