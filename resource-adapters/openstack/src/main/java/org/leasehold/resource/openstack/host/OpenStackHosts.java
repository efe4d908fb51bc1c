package org.leasehold.resource.openstack.host;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.Outage;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.InventoryResult;
import org.leasehold.resource.LoadResult;
import org.leasehold.resource.Replacement;
import org.leasehold.resource.Survey;
import org.leasehold.resource.openstack.CloudCallResults;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.ParallelCalls;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.compute.Hypervisor;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaAggregate;
import org.leasehold.resource.openstack.compute.NovaChanges;
import org.leasehold.resource.openstack.compute.ServerEviction;
import org.leasehold.vocabulary.ReservationId;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The acting half for Nova's hosts. It works as Blazar does, to continue its leases. */
final class OpenStackHosts implements Acting {

    private final Nova nova;
    private final HostIsolation isolation;
    private final ServerEviction eviction;
    private final PollingWait pollingWait;
    private final ParallelCalls parallelCalls;
    private final HostDescriptions descriptions;
    private final BeforeEndAction defaultBeforeEnd;
    private final HostZones zones;
    private final HostDiscovery discovery;

    OpenStackHosts(
            Nova nova,
            HostIsolation isolation,
            PollingWait patience,
            ParallelCalls sideBySide,
            HostDescriptions descriptions,
            BeforeEndAction defaultBeforeEnd) {
        this.nova = nova;
        this.defaultBeforeEnd = defaultBeforeEnd;
        this.isolation = isolation;
        this.eviction = new ServerEviction(nova, patience);
        this.pollingWait = patience;
        this.parallelCalls = sideBySide;
        this.descriptions = descriptions;
        this.zones = new HostZones(nova);
        this.discovery = new HostDiscovery(nova, descriptions, zones);
    }

    @Override
    public Discovery discover(String name) {
        return discovery.discover(name);
    }

    @Override
    public Result enrol(ResourceId id, String name) {
        return CloudCallResults.resultOf(
                () -> {
                    Hypervisor hypervisor =
                            nova.hypervisor(name).orElseThrow(() -> unknownHost(name));
                    NovaAggregate.Listing before = nova.aggregates();
                    boolean leased =
                            before.zoneOf(hypervisor.host())
                                    .filter(NovaAggregate::isOfReservation)
                                    .isPresent();
                    if (!leased) {
                        addToFreepool(before, hypervisor);
                    }
                });
    }

    private void addToFreepool(NovaAggregate.Listing before, Hypervisor hypervisor) {
        NovaChanges changes = nova.fencedBy(() -> true);
        NovaAggregate pool = new Freepool(isolation).findOrCreate(before, changes);
        if (!pool.hosts().contains(hypervisor.host())) {
            // The next lease of a host in the freepool deletes its servers.
            ForeignServers.requireNoForeignServers(nova, isolation, hypervisor.host());
            if (!changes.add(pool, hypervisor.host())) {
                throw unknownHost(hypervisor.name());
            }
        }
        changes.announce(pool);
    }

    @Override
    public Result retire(ResourceId id, String name) {
        return CloudCallResults.resultOf(
                () -> {
                    // The compute service of a deleted hypervisor most likely had its name.
                    String host = nova.hypervisor(name).map(Hypervisor::host).orElse(name);
                    NovaChanges changes = nova.fencedBy(() -> true);
                    nova.aggregates()
                            .findByName(NovaAggregate.FREEPOOL)
                            .ifPresent(
                                    pool -> {
                                        changes.remove(pool, host);
                                        changes.announce(pool);
                                    });
                });
    }

    @Override
    public Result onStart(Assignment assignment) {
        return CloudCallResults.resultWithIds(() -> hostsOf(assignment).applyAssignment());
    }

    @Override
    public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
        return onAdjust(assignment, leaving, List.of());
    }

    @Override
    public Result onAdjust(
            Assignment assignment, List<Allocation> leaving, List<Replacement> replacements) {
        // Hosts leave if they are in the aggregate, but not in the assignment. Another lease has a
        // leaving host that is not in it, unless it is nowhere.
        return CloudCallResults.resultWithIds(
                () -> hostsOf(assignment).adjust(leaving, replacements));
    }

    @Override
    public Result beforeEnd(Assignment assignment) {
        return CloudCallResults.resultOf(
                () -> {
                    Object wanted = assignment.parameters().get("before_end");
                    if (BeforeEndAction.of(wanted, defaultBeforeEnd) == BeforeEndAction.SNAPSHOT) {
                        snapshot(assignment);
                    }
                });
    }

    private void snapshot(Assignment assignment) {
        new ServerSnapshots(nova, parallelCalls, pollingWait)
                .createImages(
                        nova.fencedBy(assignment.fence()),
                        assignment.reservation(),
                        hostsOf(assignment).servers());
    }

    @Override
    public Result onEnd(Assignment assignment) {
        return CloudCallResults.resultOf(() -> hostsOf(assignment).releaseAll());
    }

    @Override
    public List<String> inspect(ReservationId reservation) {
        List<String> names = new ArrayList<>();
        nova.aggregates()
                .findByName(reservation.toString())
                .ifPresent(
                        own -> {
                            names.add("aggregate/" + own.name());
                            for (String host : own.hosts()) {
                                names.add("host/" + host);
                                nova.serversOn(host).stream()
                                        .map(server -> "server/" + server.name())
                                        .sorted()
                                        .forEach(names::add);
                            }
                        });
        return names;
    }

    @Override
    public InventoryResult inventory(Collection<String> names) {
        try {
            Map<String, Hypervisor> known = new HashMap<>();
            nova.hypervisors().forEach(each -> known.put(each.name(), each));
            if (known.isEmpty()) {
                // A wrong response is more likely than the loss of all hosts.
                return new InventoryResult.Unknown(
                        new Fault(Fault.Kind.RETRYABLE, "Nova has no hypervisors at all"));
            }
            NovaAggregate.Listing aggregates = nova.aggregates();
            Map<String, Outage> outages = new HashMap<>();
            SortedSet<String> strays = new TreeSet<>();
            SortedSet<String> pooled = new TreeSet<>();
            List<Hypervisor> usable = new ArrayList<>();
            for (String name : names) {
                @Nullable Hypervisor hypervisor = known.get(name);
                outage(hypervisor).ifPresent(outage -> outages.put(name, outage));
                // The data of a host that is down is old, and not always complete.
                if (hypervisor != null && hypervisor.isUsable()) {
                    usable.add(hypervisor);
                }
                if (hypervisor != null && aggregates.isUnassigned(hypervisor.host())) {
                    strays.add(name);
                }
                if (hypervisor != null && aggregates.isFree(hypervisor.host())) {
                    pooled.add(name);
                }
            }
            return new InventoryResult.Known(
                    outages, descriptions.describe(usable, zones.read(aggregates)), strays, pooled);
        } catch (CloudFailure failure) {
            return new InventoryResult.Unknown(failure.fault());
        }
    }

    /** Returns the outage of a host. If Nova has disabled it, its servers still run. */
    private static Optional<Outage> outage(@Nullable Hypervisor hypervisor) {
        if (hypervisor == null) {
            return Optional.of(Outage.down("Nova does not know it any more"));
        }
        if (!hypervisor.up()) {
            return Optional.of(Outage.down("Nova says that it is down"));
        }
        return hypervisor.enabled()
                ? Optional.empty()
                : Optional.of(Outage.closed("Nova says that it is disabled"));
    }

    @Override
    public LoadResult readLoads(Collection<String> names) {
        try {
            Map<String, LoadResult.Load> loads = nova.loads();
            return new LoadResult.Known(
                    names.stream()
                            .collect(
                                    Collectors.toMap(
                                            Function.identity(),
                                            name ->
                                                    loads.getOrDefault(
                                                            name, LoadResult.Load.NONE))));
        } catch (CloudFailure failure) {
            return new LoadResult.Unknown(failure.fault());
        }
    }

    @Override
    public Survey survey() {
        return CloudCallResults.survey(
                () -> {
                    NovaAggregate.Listing aggregates = nova.aggregates();
                    return new Survey.Seen(
                            aggregates.resourcesByReservation(NovaAggregate::isOfReservation),
                            new StrayServers(nova, isolation, parallelCalls).findOn(aggregates));
                });
    }

    private ReservedHosts hostsOf(Assignment assignment) {
        return new ReservedHosts(nova, isolation, eviction, pollingWait, parallelCalls, assignment);
    }

    private static CloudFailure unknownHost(String host) {
        return new CloudFailure(
                Fault.Kind.PERMANENT, CloudFailure.NO_ANSWER, "Nova has no host " + host);
    }
}
