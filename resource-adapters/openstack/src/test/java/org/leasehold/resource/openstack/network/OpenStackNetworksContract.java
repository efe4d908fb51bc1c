package org.leasehold.resource.openstack.network;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginContract;
import org.leasehold.resource.openstack.CloudProxy;

import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The contract of all plugins, of which any request may go wrong on its way to the cloud. */
abstract class OpenStackNetworksContract extends ResourcePluginContract {

    private @Nullable CloudProxy proxy;
    private @Nullable ResourcePlugin plugin;

    /** The cloud's Keystone, and who the engine is there. */
    abstract Map<String, String> cloud();

    /** Three segments on which there is no network. */
    abstract List<String> segments();

    @BeforeEach
    void connect() throws IOException {
        CloudProxy inBetween = new CloudProxy();
        proxy = inBetween;
        Map<String, String> settings = new HashMap<>(cloud());
        settings.computeIfPresent(
                "auth-url", (_, url) -> inBetween.before(URI.create(url)).toString());
        plugin = new OpenStackNetworksProvider().create(settings);
    }

    @AfterEach
    void disconnect() {
        plugin().close();
        proxy().close();
    }

    @Override
    protected ResourcePlugin plugin() {
        return Objects.requireNonNull(plugin);
    }

    private CloudProxy proxy() {
        return Objects.requireNonNull(proxy);
    }

    @Override
    protected List<String> resourceNames() {
        return segments();
    }

    @Override
    protected String unknownName() {
        return "flat/physnet1/1";
    }

    @Override
    protected Map<String, @Nullable Object> parameters() {
        return Map.of(
                "network_name", "contract",
                "network_description", "of the contract",
                "network_properties", "[\"==\", \"$network_type\", \"vlan\"]",
                "resource_properties", "");
    }

    @Override
    protected Map<String, @Nullable Object> changes() {
        return Map.of("network_name", "changed");
    }

    @Override
    protected Optional<CloudFaults> faults() {
        return Optional.of(proxy());
    }
}
