package org.leasehold.resource.simulator.cloud;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginContract;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.simulator.BehaviorRule;
import org.leasehold.resource.simulator.InjectedFault;

import java.util.Map;
import java.util.Optional;

/** The contract of all plug-ins, with a new simulated cloud for each test. */
public abstract class SimulatedCloudContract extends ResourcePluginContract {

    private final CloudDatabase database = new CloudDatabase();

    private final ResourcePluginProvider provider;
    private ResourcePlugin plugin;
    private SimulatedCloud cloud;

    public SimulatedCloudContract(ResourcePluginProvider provider) {
        this.provider = provider;
    }

    @BeforeEach
    void startCloud() {
        Map<String, String> settings = database.newCloud();
        plugin = provider.create(settings);
        cloud = CloudDatabase.connect(settings);
    }

    @AfterEach
    void stopCloud() {
        cloud.close();
        plugin.close();
        database.close();
    }

    @Override
    protected ResourcePlugin plugin() {
        return plugin;
    }

    public SimulatedCloud cloud() {
        return cloud;
    }

    @Override
    protected Optional<CloudFaults> faults() {
        return Optional.of(
                new CloudFaults() {
                    @Override
                    public void failBeforeEffect(int stepsThatSucceed) {
                        failOnce(InjectedFault.TIME_OUT_BEFORE, stepsThatSucceed);
                    }

                    @Override
                    public void failAfterEffect(int stepsThatSucceed) {
                        failOnce(InjectedFault.TIME_OUT_AFTER, stepsThatSucceed);
                    }

                    @Override
                    public void heal() {
                        cloud.clearBehaviorRules();
                    }
                });
    }

    private void failOnce(InjectedFault fault, int stepsThatSucceed) {
        cloud.addBehaviorRule(
                BehaviorRule.failing("*.*", fault).withSkip(stepsThatSucceed).times(1));
    }
}
