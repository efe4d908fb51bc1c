package org.leasehold.resource.openstack.host;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.OpenStackPluginContract;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaAggregate;
import org.leasehold.resource.openstack.compute.NovaChanges;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The contract of all plug-ins, with hosts. */
abstract class OpenStackHostsContract extends OpenStackPluginContract {

    abstract HostIsolation isolation();

    @Override
    protected ResourcePlugin plugin(Map<String, String> settings) {
        return OpenStackHostsProvider.create(
                isolation(),
                CloudSettings.of(settings),
                new PollingWait(Duration.ofSeconds(60), Duration.ofMillis(10)));
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
    protected SortedMap<String, Consumer<Assignment>> pieces() {
        return new TreeMap<>(
                Map.of(
                        "a host in the aggregate",
                        assignment ->
                                byHand(
                                        cloud -> {
                                            NovaAggregate own = own(cloud, assignment);
                                            changes(cloud).remove(own, own.hosts().getFirst());
                                        }),
                        "aggregate",
                        assignment -> byHand(cloud -> delete(cloud, own(cloud, assignment)))));
    }

    private static NovaAggregate own(Cloud cloud, Assignment assignment) {
        return new Nova(cloud)
                .aggregates()
                .findByName(assignment.reservation().toString())
                .orElseThrow();
    }

    private static void delete(Cloud cloud, NovaAggregate aggregate) {
        aggregate.hosts().forEach(host -> changes(cloud).remove(aggregate, host));
        changes(cloud).delete(aggregate);
    }

    private static NovaChanges changes(Cloud cloud) {
        return new Nova(cloud).fencedBy(() -> true);
    }
}
