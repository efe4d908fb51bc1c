package org.leasehold.resource.simulator.host;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginContract;
import org.leasehold.resource.simulator.InjectedFault;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class InMemoryCloudTest extends ResourcePluginContract {

    private final InMemoryCloud cloud = new InMemoryCloud(4, Clock.systemUTC(), _ -> {});
    private final ResourcePlugin plugin = cloud.plugin(_ -> {});

    @Override
    protected ResourcePlugin plugin() {
        return plugin;
    }

    @Override
    protected List<String> resourceNames() {
        return List.of("compute-1", "compute-2", "compute-3");
    }

    @Override
    protected List<String> described() {
        return resourceNames();
    }

    @Override
    protected String unknownName() {
        return "compute-9";
    }

    @Override
    protected Map<String, @Nullable Object> parameters() {
        return SimulatedHostsContractTest.PARAMETERS;
    }

    @Override
    protected Map<String, @Nullable Object> changes() {
        return Map.of("max", 3);
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
                        cloud.behaveWell();
                    }
                });
    }

    private void failOnce(InjectedFault fault, int stepsThatSucceed) {
        int[] left = {stepsThatSucceed};
        cloud.misbehave(
                (operation, _) ->
                        operation.contains(".") && left[0]-- == 0
                                ? Optional.of(fault)
                                : Optional.empty());
    }
}
