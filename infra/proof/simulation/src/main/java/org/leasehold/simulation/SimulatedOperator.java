package org.leasehold.simulation;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.Outage;
import org.leasehold.inventory.OutageExtent;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.simulation.scenario.Scenario;
import org.leasehold.simulation.scenario.Step;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The operator of the hosts. It carries out the operator's steps. */
final class SimulatedOperator {

    private static final ResourceKind HOST = ResourceKind.PHYSICAL_HOST;

    private final DurableState engine;
    private final Invariants invariants;
    private final SimulatedUsers users;
    private final CommandContexts contexts;
    private final ResourceId[] hosts = new ResourceId[Scenario.HOSTS];

    SimulatedOperator(
            DurableState engine,
            Invariants invariants,
            SimulatedUsers users,
            CommandContexts contexts) {
        this.engine = engine;
        this.invariants = invariants;
        this.users = users;
        this.contexts = contexts;
    }

    void enrolAll(Commands commands) {
        for (int host = 0; host < Scenario.HOSTS; host++) {
            enrol(commands, host);
        }
    }

    void enableAll(Commands commands) {
        for (int host = 0; host < Scenario.HOSTS; host++) {
            commands.send(new ResourceCommand.EnableResource(hosts[host]), contexts.ofOperator());
        }
    }

    /** Retries all failed leases. */
    void retryAll(Commands commands) {
        for (LeaseView lease : users.listLeases(null)) {
            if (lease.status() == LeaseStatus.ERROR) {
                commands.send(new LeaseCommand.RetryLease(lease.id()), contexts.ofOperator());
            }
        }
    }

    void executeStep(Step.ByOperator step, Commands commands) {
        switch (step) {
            case Step.Disable(_, int host) ->
                    commands.send(
                            new ResourceCommand.DisableResource(hosts[host], "maintenance"),
                            contexts.ofOperator());
            case Step.Enable(_, int host) ->
                    commands.send(
                            new ResourceCommand.EnableResource(hosts[host]), contexts.ofOperator());
            case Step.Relabel(_, int host, boolean gpu) ->
                    commands.send(
                            new ResourceCommand.ChangeResource(
                                    hosts[host],
                                    gpu ? Map.of("gpu", "yes") : Map.of(),
                                    gpu ? Set.of() : Set.of("gpu")),
                            contexts.ofOperator());
            case Step.Describe(_, int host, boolean gpu) ->
                    commands.send(
                            new ResourceCommand.ReportAttributes(
                                    hosts[host],
                                    null,
                                    null,
                                    // The order of entries is the same in every process.
                                    new TreeMap<>(
                                            gpu
                                                    ? Map.of("vcpus", 16, "gpu", "yes")
                                                    : Map.of("vcpus", 16))),
                            contexts.ofOperator());
            case Step.Report(_, int host, @Nullable OutageExtent extent) ->
                    commands.send(
                            new ResourceCommand.ReportOutage(
                                    hosts[host],
                                    extent == null ? null : new Outage("it is " + extent, extent)),
                            contexts.ofOperator());
            case Step.Renew(_, int host) -> {
                if (commands.send(
                                new ResourceCommand.RetireResource(hosts[host]),
                                contexts.ofOperator())
                        instanceof Outcome.Accepted<?>) {
                    enrol(commands, host);
                }
            }
            case Step.Retry(_, int lease) ->
                    users.find(lease)
                            .ifPresent(
                                    found ->
                                            commands.send(
                                                    new LeaseCommand.RetryLease(found.id()),
                                                    contexts.ofOperator()));
            case Step.ForceEnd(_, int lease) ->
                    users.find(lease).ifPresent(found -> forceEnd(found, commands));
        }
    }

    /** Ends a lease by force and cleans the cloud by hand, even without a response. */
    private void forceEnd(LeaseView lease, Commands commands) {
        List<ReservationId> reservations =
                lease.reservations().stream().map(ReservationView::id).toList();
        invariants
                .cloud()
                .runWithoutServerCheck(
                        reservations,
                        () -> {
                            try {
                                commands.send(
                                        new LeaseCommand.ForceEnd(lease.id()),
                                        contexts.ofOperator());
                            } finally {
                                if (isOver(lease.id())) {
                                    reservations.forEach(engine.cloud()::clean);
                                }
                            }
                        });
    }

    private boolean isOver(LeaseId lease) {
        return engine.leases()
                .find(lease, null)
                .filter(now -> now.status() != LeaseStatus.ENDED)
                .isEmpty();
    }

    private void enrol(Commands commands, int host) {
        hosts[host] = commands.nextResourceId();
        commands.send(
                new ResourceCommand.EnrolResource(
                        hosts[host],
                        HOST,
                        "compute-" + (host + 1),
                        null,
                        null,
                        Map.of("vcpus", 16),
                        host % 4 == 0 ? Map.of("gpu", "yes") : Map.of()),
                contexts.ofOperator());
    }
}
