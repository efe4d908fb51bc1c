package org.leasehold.resource.simulator;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginContract;

import java.io.IOException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class SimulatedInstancesContractTest extends ResourcePluginContract {

    private static CloudDatabase database;

    private ResourcePlugin plugin;
    private SimulatedCloud cloud;

    @BeforeAll
    static void startDatabase() throws IOException {
        database = new CloudDatabase();
    }

    @AfterAll
    static void stopDatabase() throws IOException {
        database.close();
    }

    @BeforeEach
    void startCloud() throws SQLException {
        Map<String, String> settings = database.newCloud();
        plugin = plugin(settings);
        cloud = CloudDatabase.connect(settings);
    }

    /** One of the two. */
    ResourcePlugin plugin(Map<String, String> settings) {
        return new SimulatedInstancesProvider().create(settings);
    }

    final SimulatedCloud cloud() {
        return cloud;
    }

    @AfterEach
    void stopCloud() {
        cloud.close();
        plugin.close();
    }

    @Override
    protected ResourcePlugin plugin() {
        return plugin;
    }

    @Override
    protected List<String> resourceNames() {
        return List.of("compute-1", "compute-2", "compute-3");
    }

    @Override
    protected String unknownName() {
        return "compute-9";
    }

    /** One slot is all that a host has room for. */
    @Override
    protected Map<String, @Nullable Object> parameters() {
        SimulatedHost host = SimulatedHost.numbered(1);
        Map<String, @Nullable Object> parameters = new HashMap<>();
        parameters.put("vcpus", host.vcpus());
        parameters.put("memory_mb", 1024);
        parameters.put("disk_gb", 1);
        parameters.put("amount", 2);
        parameters.put("affinity", null);
        parameters.put("resource_properties", "");
        return parameters;
    }

    @Override
    protected Map<String, @Nullable Object> changes() {
        return Map.of("amount", 3);
    }

    @Override
    protected Optional<CloudFaults> faults() {
        return Optional.of(
                new CloudFaults() {
                    @Override
                    public void failBeforeEffect(int stepsThatSucceed) {
                        failOnce(Misbehaviour.TIME_OUT_BEFORE, stepsThatSucceed);
                    }

                    @Override
                    public void failAfterEffect(int stepsThatSucceed) {
                        failOnce(Misbehaviour.TIME_OUT_AFTER, stepsThatSucceed);
                    }

                    @Override
                    public void heal() {
                        cloud.behaveWell();
                    }
                });
    }

    private void failOnce(Misbehaviour fault, int stepsThatSucceed) {
        cloud.misbehave(Behaviour.failing("*.*", fault).after(stepsThatSucceed).times(1));
    }
}
