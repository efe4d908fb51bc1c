package org.leasehold.resource.openstack;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.resource.InterruptedRetriesContract;
import org.leasehold.resource.ResourcePlugin;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** The contract of all plug-ins, in which any request may fail on its way to the cloud. */
public abstract class OpenStackPluginContract extends InterruptedRetriesContract {

    private @Nullable Map<String, String> direct;
    private @Nullable CloudFaultProxy proxy;
    private @Nullable ResourcePlugin plugin;
    private @Nullable Cloud hand;

    /**
     * Returns the cloud's Keystone and the engine's login. Called once in the life of an instance.
     */
    protected abstract Map<String, String> cloud();

    /** Returns the plug-in under test. */
    protected abstract ResourcePlugin plugin(Map<String, String> settings);

    @BeforeEach
    void connect() throws IOException {
        if (plugin != null) {
            proxy().heal();
            return;
        }
        direct = cloud();
        hand = new Cloud(CloudSettings.of(direct), Clock.systemUTC());
        CloudFaultProxy inBetween = new CloudFaultProxy();
        proxy = inBetween;
        Map<String, String> settings = new HashMap<>(direct);
        settings.computeIfPresent(
                "auth-url", (_, url) -> inBetween.before(URI.create(url)).toString());
        plugin = plugin(settings);
    }

    @AfterEach
    void disconnectAfterEach() {
        if (!(this instanceof RealCloudFixture)) {
            disconnect();
        }
    }

    /** Closes all connections to the cloud. */
    public void disconnect() {
        plugin().close();
        proxy().close();
        Objects.requireNonNull(hand).close();
    }

    /** Returns settings without disturbance. */
    protected final Map<String, String> direct() {
        return Objects.requireNonNull(direct);
    }

    /** Makes a change in the cloud by hand. */
    protected final void byHand(Consumer<Cloud> what) {
        what.accept(hand());
    }

    /** Returns the cloud as an operator uses it, without disturbance. */
    protected final Cloud hand() {
        return Objects.requireNonNull(hand);
    }

    /** Returns the wait for a deletion by hand. */
    protected static PollingWait untilGone() {
        return new PollingWait(Duration.ofSeconds(60), Duration.ofMillis(50));
    }

    @Override
    protected ResourcePlugin plugin() {
        return Objects.requireNonNull(plugin);
    }

    /** Returns false on the real cloud: its steps take longer. */
    @Override
    protected boolean newAssignmentPerCutOff() {
        return !(this instanceof RealCloudFixture);
    }

    private CloudFaultProxy proxy() {
        return Objects.requireNonNull(proxy);
    }

    @Override
    protected StepFaults stepFaults() {
        return proxy();
    }
}
