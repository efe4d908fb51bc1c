package org.leasehold.resource.openstack.floatingip;

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
abstract class OpenStackFloatingIpsContract extends ResourcePluginContract {

    private @Nullable CloudProxy proxy;
    private @Nullable ResourcePlugin plugin;

    /** The cloud's Keystone, and who the engine is there. */
    abstract Map<String, String> cloud();

    /** The id of a network outside. */
    abstract String network();

    /** Three addresses of it that are in no pool. */
    abstract List<String> addresses();

    @BeforeEach
    void connect() throws IOException {
        CloudProxy inBetween = new CloudProxy();
        proxy = inBetween;
        Map<String, String> settings = new HashMap<>(cloud());
        settings.computeIfPresent(
                "auth-url", (_, url) -> inBetween.before(URI.create(url)).toString());
        plugin = new OpenStackFloatingIpsProvider().create(settings);
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
        return addresses().stream().map(address -> network() + "/" + address).toList();
    }

    @Override
    protected String unknownName() {
        return network() + "/192.0.2.1";
    }

    @Override
    protected Map<String, @Nullable Object> parameters() {
        return Map.of("network_id", network(), "amount", "2");
    }

    @Override
    protected Map<String, @Nullable Object> changes() {
        return Map.of("amount", 3);
    }

    @Override
    protected Optional<CloudFaults> faults() {
        return Optional.of(proxy());
    }
}
