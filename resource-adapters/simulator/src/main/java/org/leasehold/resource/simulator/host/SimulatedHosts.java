package org.leasehold.resource.simulator.host;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.Outage;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting;
import org.leasehold.resource.InventoryResult;
import org.leasehold.resource.LoadResult;
import org.leasehold.resource.Replacement;
import org.leasehold.resource.Survey;
import org.leasehold.resource.simulator.CloudStore;
import org.leasehold.resource.simulator.SimulatedCloudCall;
import org.leasehold.resource.simulator.SimulatedHost;
import org.leasehold.vocabulary.ReservationId;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The acting half for the simulated cloud's hosts. It works as Blazar does. */
public class SimulatedHosts implements Acting {

    /** The vCPUs of every server, as the simulated hosts' servers have no flavor. */
    static final int VCPUS_PER_SERVER = 2;

    private static final String SNAPSHOT = "snapshot";

    private final CloudStore store;
    private final HostAggregates aggregates;

    public SimulatedHosts(CloudStore store) {
        this.store = store;
        this.aggregates = new HostAggregates(store);
    }

    @Override
    public Discovery discover(String name) {
        List<Discovery> found = new ArrayList<>();
        Result result = call("discover", call -> found.add(discoverHost(name)));
        return switch (result) {
            case Result.Done done -> found.getFirst();
            case Result.Failed failed -> new Discovery.Unknown(failed.fault());
        };
    }

    @Override
    public Result enrol(ResourceId id, String name) {
        return call("enrol", call -> aggregates.enrol(call, name));
    }

    @Override
    public Result retire(ResourceId id, String name) {
        return call("retire", call -> aggregates.retire(call, name));
    }

    @Override
    public Result onStart(Assignment assignment) {
        return SimulatedIds.withIds(
                call("start", assignment, call -> applyAssignment(call, assignment, List.of())),
                assignment);
    }

    @Override
    public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
        return onAdjust(assignment, leaving, List.of());
    }

    @Override
    public Result onAdjust(
            Assignment assignment, List<Allocation> leaving, List<Replacement> replacements) {
        // Hosts leave if they are in the aggregate, but not in the assignment. Another lease has a
        // leaving host that is not in it.
        return call("adjust", assignment, call -> applyAssignment(call, assignment, replacements));
    }

    @Override
    public Result beforeEnd(Assignment assignment) {
        return call(
                "before_end",
                assignment,
                call -> {
                    if (SNAPSHOT.equals(assignment.parameters().get("before_end"))) {
                        snapshot(call, assignment.reservation());
                    }
                });
    }

    @Override
    public Result onEnd(Assignment assignment) {
        ReservationId reservation = assignment.reservation();
        return call(
                "end",
                assignment,
                call -> {
                    if (aggregates.exists(reservation)) {
                        aggregates
                                .hostsOf(reservation)
                                .forEach(host -> aggregates.releaseHost(call, reservation, host));
                        aggregates.delete(call, reservation);
                    }
                });
    }

    @Override
    public List<String> inspect(ReservationId reservation) {
        List<String> names = new ArrayList<>();
        if (aggregates.exists(reservation)) {
            names.add("aggregate/" + reservation);
        }
        for (String host : aggregates.hostsOf(reservation)) {
            names.add("host/" + host);
            store.serversOn(host).forEach(server -> names.add("server/" + server.name()));
        }
        return names;
    }

    @Override
    public InventoryResult inventory(Collection<String> names) {
        Map<String, Outage> outages = new HashMap<>();
        Map<String, Discovery.Found> found = new HashMap<>();
        Result result =
                call(
                        "inventory",
                        call -> {
                            Map<String, SimulatedHost> hosts = store.hosts();
                            for (String name : names) {
                                @Nullable SimulatedHost host = hosts.get(name);
                                if (host == null) {
                                    outages.put(name, Outage.down("it does not exist"));
                                } else if (!host.up()) {
                                    outages.put(name, Outage.down("it is down"));
                                } else {
                                    found.put(name, found(host));
                                }
                            }
                        });
        return switch (result) {
            case Result.Done done -> new InventoryResult.Known(outages, found);
            case Result.Failed failed -> new InventoryResult.Unknown(failed.fault());
        };
    }

    private static Discovery.Found found(SimulatedHost host) {
        return new Discovery.Found(host.hypervisorHostname(), null, host.zone(), host.attributes());
    }

    @Override
    public LoadResult readLoads(Collection<String> names) {
        Map<String, LoadResult.Load> loads = new HashMap<>();
        Result result =
                call(
                        "running",
                        call -> {
                            Map<String, Integer> servers = store.serversByHost();
                            for (String name : names) {
                                int count = servers.getOrDefault(name, 0);
                                loads.put(
                                        name, new LoadResult.Load(count, count * VCPUS_PER_SERVER));
                            }
                        });
        return switch (result) {
            case Result.Done done -> new LoadResult.Known(loads);
            case Result.Failed failed -> new LoadResult.Unknown(failed.fault());
        };
    }

    @Override
    public Survey survey() {
        return SimulatedCloudCall.survey(
                store,
                () -> Survey.Seen.of(store.reservations().stream().flatMap(this::surveyEntries)));
    }

    private Stream<Survey.Thing> surveyEntries(ReservationId reservation) {
        return inspect(reservation).stream().map(thing -> new Survey.Thing(reservation, thing));
    }

    private void applyAssignment(
            SimulatedCloudCall call, Assignment assignment, List<Replacement> replacements) {
        ReservationId reservation = assignment.reservation();
        List<String> wanted = assignment.resources().stream().map(Allocation::name).toList();
        aggregates.create(call, reservation, assignment.project());
        for (Replacement each : replacements) {
            aggregates.assignHost(call, reservation, each.to().name());
            aggregates.moveServers(call, reservation, each.from().name(), each.to().name());
        }
        aggregates.hostsOf(reservation).stream()
                .filter(host -> !wanted.contains(host))
                .forEach(host -> aggregates.releaseHost(call, reservation, host));
        wanted.forEach(host -> aggregates.assignHost(call, reservation, host));
    }

    private void snapshot(SimulatedCloudCall call, ReservationId reservation) {
        store.serversWithoutImage(reservation)
                .forEach(
                        server ->
                                call.step(
                                        "create_image",
                                        server.host(),
                                        () -> store.createImage(server, reservation)));
    }

    private Discovery discoverHost(String name) {
        Optional<SimulatedHost> host = store.host(name);
        if (host.isEmpty()) {
            return new Discovery.NotFound();
        }
        SimulatedHost found = host.get();
        List<String> servers =
                store.serversOn(found.hypervisorHostname()).stream()
                        .map(SimulatedHost.Server::name)
                        .toList();
        return servers.isEmpty()
                ? found(found)
                : new Discovery.InUse(found.hypervisorHostname(), servers);
    }

    /** Runs a call for a resource, without a reservation. */
    private Result call(String name, SimulatedCloudCall.Steps steps) {
        return new SimulatedCloudCall(store, name, null, () -> true).perform(steps);
    }

    private Result call(String name, Assignment assignment, SimulatedCloudCall.Steps steps) {
        return new SimulatedCloudCall(store, name, assignment.reservation(), assignment.fence())
                .perform(steps);
    }
}
