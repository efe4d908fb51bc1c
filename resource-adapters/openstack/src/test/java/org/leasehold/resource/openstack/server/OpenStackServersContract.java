package org.leasehold.resource.openstack.server;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.OpenStackPluginContract;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.server.ServerPlanning;
import org.leasehold.vocabulary.Share;

import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The contract of all plug-ins, with servers. */
abstract class OpenStackServersContract extends OpenStackPluginContract {

    private @Nullable String first;

    /** The tests of a class may share its instance. */
    @BeforeEach
    void forgetServer() {
        first = null;
    }

    @Override
    protected ResourcePlugin plugin(Map<String, String> settings) {
        return OpenStackServersProvider.create(
                CloudSettings.of(settings),
                new PollingWait(Duration.ofSeconds(30), Duration.ofMillis(500)));
    }

    /** Returns the id of one more server, which is shelved. */
    abstract String server();

    @Override
    protected String unknownName() {
        return "no such zone";
    }

    @Override
    protected Map<String, @Nullable Object> parameters() {
        String id = first == null ? server() : first;
        first = id;
        return Map.of("server_id", id);
    }

    @Override
    protected Map<String, @Nullable Object> furtherParameters() {
        return Map.of("server_id", server());
    }

    @Override
    protected boolean adjustsThings() {
        return false;
    }

    @Override
    protected Map<String, @Nullable Object> changes() {
        return Map.of("on_end", "stop");
    }

    @Override
    protected Allocation held(Allocation whole) {
        return whole.shared(new Share(1, Map.of("VCPU", 1L, "MEMORY_MB", 64L, "DISK_GB", 0L)));
    }

    /** Returns the mark on the server, the only thing that the plug-in creates. */
    @Override
    protected SortedMap<String, Consumer<Assignment>> pieces() {
        return new TreeMap<>(
                Map.of(
                        "mark",
                        assignment ->
                                byHand(
                                        cloud -> {
                                            Nova nova = new Nova(cloud);
                                            nova.server(serverId(assignment))
                                                    .ifPresent(nova.fencedBy(() -> true)::release);
                                        })));
    }

    static String serverId(Assignment assignment) {
        return ServerPlanning.serverId(assignment.parameters());
    }
}
