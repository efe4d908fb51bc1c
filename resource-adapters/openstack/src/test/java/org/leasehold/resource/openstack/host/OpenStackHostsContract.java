package org.leasehold.resource.openstack.host;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginContract;
import org.leasehold.resource.openstack.CloudProxy;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.Patience;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The contract of all plugins, of which any request may go wrong on its way to the cloud. */
abstract class OpenStackHostsContract extends ResourcePluginContract {

    private CloudProxy proxy;
    private ResourcePlugin plugin;

    /** The cloud's Keystone, and who the engine is there. */
    abstract Map<String, String> cloud();

    abstract Isolation isolation();

    @BeforeEach
    void connect() throws IOException {
        proxy = new CloudProxy();
        Map<String, String> settings = new HashMap<>(cloud());
        settings.computeIfPresent("auth-url", (_, url) -> proxy.before(URI.create(url)).toString());
        plugin =
                OpenStackHostsProvider.create(
                        isolation(),
                        CloudSettings.of(settings),
                        new Patience(Duration.ofSeconds(60), Duration.ofMillis(10)));
    }

    @AfterEach
    void disconnect() {
        plugin.close();
        proxy.close();
    }

    @Override
    protected ResourcePlugin plugin() {
        return plugin;
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

    @Override
    protected Optional<CloudFaults> faults() {
        return Optional.of(proxy);
    }
}
