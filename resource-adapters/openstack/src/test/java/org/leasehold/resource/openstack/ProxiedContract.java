package org.leasehold.resource.openstack;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.resource.LostPiecesContract;
import org.leasehold.resource.ResourcePlugin;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** The contract of all plugins, of which any request may go wrong on its way to the cloud. */
public abstract class ProxiedContract extends LostPiecesContract {

    private @Nullable Map<String, String> direct;
    private @Nullable CloudProxy proxy;
    private @Nullable ResourcePlugin plugin;

    /** The cloud's Keystone, and who the engine is there. Asked once a test. */
    protected abstract Map<String, String> cloud();

    /** The plugin that is to fulfil the contract. */
    protected abstract ResourcePlugin plugin(Map<String, String> settings);

    /** Those of the cloud that a script has told the build of. */
    protected static Map<String, String> realCloud() {
        return Map.of(
                "auth-url", environment("AUTH_URL"),
                "user", environment("USER"),
                "password", environment("PASSWORD"),
                "project", environment("PROJECT"));
    }

    /** What a script says of the real cloud; without it the contract fails. */
    protected static String environment(String name) {
        return Objects.requireNonNull(
                System.getenv("LEASEHOLD_CONTRACT_" + name), "LEASEHOLD_CONTRACT_" + name);
    }

    @BeforeEach
    void connect() throws IOException {
        direct = cloud();
        CloudProxy inBetween = new CloudProxy();
        proxy = inBetween;
        Map<String, String> settings = new HashMap<>(direct);
        settings.computeIfPresent(
                "auth-url", (_, url) -> inBetween.before(URI.create(url)).toString());
        plugin = plugin(settings);
    }

    @AfterEach
    void disconnect() {
        plugin().close();
        proxy().close();
    }

    /** The settings for whoever is not to be disturbed. */
    protected final Map<String, String> direct() {
        return Objects.requireNonNull(direct);
    }

    /** Does something by hand to the cloud. */
    protected final void byHand(Consumer<Cloud> what) {
        try (Cloud cloud = new Cloud(CloudSettings.of(direct()), Clock.systemUTC())) {
            what.accept(cloud);
        }
    }

    /** How long it may take until what was deleted by hand is gone. */
    protected static Patience untilGone() {
        return new Patience(Duration.ofSeconds(60), Duration.ofMillis(50));
    }

    @Override
    protected ResourcePlugin plugin() {
        return Objects.requireNonNull(plugin);
    }

    private CloudProxy proxy() {
        return Objects.requireNonNull(proxy);
    }

    @Override
    protected Optional<CloudFaults> faults() {
        return Optional.of(proxy());
    }
}
