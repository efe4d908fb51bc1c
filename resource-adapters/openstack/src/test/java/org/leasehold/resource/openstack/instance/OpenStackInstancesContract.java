package org.leasehold.resource.openstack.instance;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.OpenStackPluginContract;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaAggregate;
import org.leasehold.resource.openstack.compute.NovaChanges;
import org.leasehold.resource.openstack.host.OpenStackHostsProvider;
import org.leasehold.resource.openstack.placement.Placement;
import org.leasehold.resource.openstack.placement.ResourceProvider;
import org.leasehold.vocabulary.Share;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The contract of all plug-ins, with instances on hosts that the plug-in of hosts enrols. */
abstract class OpenStackInstancesContract extends OpenStackPluginContract {

    private @Nullable ResourcePlugin hosts;

    @BeforeEach
    void connectHosts() {
        if (hosts != null) {
            return;
        }
        Map<String, String> settings = new HashMap<>(direct());
        settings.put("isolation", "tenancy");
        hosts = new OpenStackHostsProvider().create(settings);
    }

    @Override
    public void disconnect() {
        Objects.requireNonNull(hosts).close();
        super.disconnect();
    }

    @Override
    protected ResourcePlugin plugin(Map<String, String> settings) {
        return plugin(
                CloudSettings.of(settings),
                new PollingWait(Duration.ofSeconds(60), Duration.ofMillis(10)));
    }

    /** Returns one of the two plug-ins. */
    ResourcePlugin plugin(CloudSettings settings, PollingWait patience) {
        return OpenStackInstancesPlugin.ofSizes(settings, patience);
    }

    @Override
    protected Acting enrolment() {
        return Objects.requireNonNull(hosts).acting();
    }

    @Override
    protected Allocation held(Allocation whole) {
        return whole.shared(new Share(2, Map.of("VCPU", 2L, "MEMORY_MB", 1_024L, "DISK_GB", 10L)));
    }

    @Override
    protected String unknownName() {
        return "compute-without-a-name";
    }

    @Override
    protected Map<String, @Nullable Object> parameters() {
        Map<String, @Nullable Object> parameters = new HashMap<>();
        parameters.put("vcpus", 2);
        parameters.put("memory_mb", 1_024);
        parameters.put("disk_gb", 10);
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
    protected SortedMap<String, Consumer<Assignment>> pieces() {
        return new TreeMap<>(
                Map.of(
                        "a host in the aggregate",
                        assignment -> byHand(cloud -> removeAHost(cloud, assignment)),
                        "aggregate",
                        assignment -> byHand(cloud -> deleteAggregate(cloud, assignment)),
                        "flavor",
                        assignment ->
                                byHand(
                                        cloud ->
                                                new ReservedFlavor(
                                                                cloud,
                                                                () -> true,
                                                                assignment.reservation())
                                                        .delete()),
                        "resource class",
                        assignment -> byHand(cloud -> deleteClass(cloud, assignment)),
                        "slots",
                        assignment -> byHand(cloud -> withdrawSlots(cloud, assignment))));
    }

    private static void removeAHost(Cloud cloud, Assignment assignment) {
        NovaAggregate own = own(cloud, assignment);
        new Nova(cloud).fencedBy(() -> true).remove(own, own.hosts().getFirst());
    }

    private static void deleteAggregate(Cloud cloud, Assignment assignment) {
        NovaChanges changes = new Nova(cloud).fencedBy(() -> true);
        NovaAggregate own = own(cloud, assignment);
        own.hosts().forEach(host -> changes.remove(own, host));
        changes.delete(own);
    }

    private static NovaAggregate own(Cloud cloud, Assignment assignment) {
        return new Nova(cloud)
                .aggregates()
                .findByName(assignment.reservation().toString())
                .orElseThrow();
    }

    private static void withdrawSlots(Cloud cloud, Assignment assignment) {
        Placement placement = new Placement(cloud);
        for (Allocation allocation : assignment.resources()) {
            placement
                    .provider(ResourceProvider.reservablePartOf(allocation.name()))
                    .ifPresent(
                            part ->
                                    placement
                                            .fencedBy(() -> true)
                                            .removeInventory(
                                                    part,
                                                    ReservedSlots.classOf(
                                                            assignment.reservation())));
        }
    }

    /** Deletes a class; first from the providers, because Placement requires it. */
    private static void deleteClass(Cloud cloud, Assignment assignment) {
        withdrawSlots(cloud, assignment);
        new Placement(cloud)
                .fencedBy(() -> true)
                .deleteClass(ReservedSlots.classOf(assignment.reservation()));
    }
}
