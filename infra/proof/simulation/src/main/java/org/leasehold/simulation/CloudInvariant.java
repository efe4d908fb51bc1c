package org.leasehold.simulation;

import org.jspecify.annotations.Nullable;
import org.leasehold.invariants.ExpectedReservationState;
import org.leasehold.invariants.ExpectedResourceState;
import org.leasehold.invariants.ExpectedState;
import org.leasehold.invariants.Holdings.Possession;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.simulator.SimulatedHost.Server;
import org.leasehold.resource.simulator.cloud.SimulatedCloud.Effect;
import org.leasehold.resource.simulator.host.InMemoryCloud;
import org.leasehold.simulation.memory.HostPlugins;
import org.leasehold.vocabulary.ReservationId;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** The invariant of the cloud: only holders use hosts, in order, and nothing stays behind. */
final class CloudInvariant {

    private final DurableState engine;
    private final ExpectedState expectedState;
    private final Consumer<String> violations;
    private final Set<ReservationId> abandonedReservations = new LinkedHashSet<>();
    private final Set<ReservationId> startedReservations = new LinkedHashSet<>();

    CloudInvariant(DurableState engine, ExpectedState expectedState, Consumer<String> violations) {
        this.engine = engine;
        this.expectedState = expectedState;
        this.violations = violations;
    }

    /**
     * Checks an effect: the cloud gives a host only to its holder, nothing is prepared for a
     * reservation that has already begun, and reservations start in their order.
     */
    void checkEffect(Effect effect) {
        switch (effect.operation()) {
            case "create_aggregate" -> {
                ReservationId reservation = Objects.requireNonNull(effect.reservation());
                startedReservations.add(reservation);
                checkStartOrder(reservation);
            }
            case InMemoryCloud.PREPARE -> {
                if (startedReservations.contains(Objects.requireNonNull(effect.reservation()))) {
                    violations.accept("prepared after its start: " + effect);
                }
            }
            case String _ -> {}
        }
        if (effect.operation().equals("add_host")
                && holders(effect.host()).stream()
                        .noneMatch(holder -> holder.equals(effect.reservation()))) {
            violations.accept("given to whom it was not due: " + effect);
        }
    }

    /** Checks that all that a reservation starts after run in the cloud. */
    private void checkStartOrder(ReservationId reservation) {
        ExpectedReservationState starting = expectedState.find(reservation);
        if (starting == null || !starting.kind().equals(HostPlugins.LATER_HOST)) {
            return;
        }
        expectedState.inLeaseOf(reservation).stream()
                .filter(other -> other.kind().equals(ResourceKind.PHYSICAL_HOST))
                .filter(other -> !other.wasActivated())
                .forEach(
                        other ->
                                violations.accept(
                                        "%s started before %s, which it starts after"
                                                .formatted(reservation, other.id())));
    }

    /** Runs an action while an operator deletes the servers of these reservations by hand. */
    void runWithoutServerCheck(List<ReservationId> reservations, Runnable byHand) {
        abandonedReservations.addAll(reservations);
        try {
            byHand.run();
        } finally {
            reservations.forEach(abandonedReservations::remove);
        }
    }

    /** Checks that a project's servers run only on the project's resources. */
    void checkServers() {
        for (Server server : engine.cloud().servers()) {
            if (abandonedReservations.contains(server.reservation())
                    && holders(server.host()).isEmpty()) {
                continue;
            }
            ExpectedReservationState reservation =
                    holders(server.host()).stream()
                            .filter(holder -> holder.equals(server.reservation()))
                            .findFirst()
                            .map(expectedState::find)
                            .orElse(null);
            if (reservation == null || !reservation.project().equals(server.project())) {
                violations.accept("runs where it must not: " + server);
            }
        }
    }

    /**
     * Checks that the calendar holds what the cloud has of a running reservation that releases
     * hosts only by the cloud's confirmation. A failed host that another one replaces is free at
     * once: nobody can lease it before it is back.
     */
    void checkPromises() {
        engine.cloud()
                .reserved()
                .forEach(
                        (aggregate, hosts) -> {
                            ReservationId id = ReservationId.of(aggregate);
                            ExpectedReservationState reservation = expectedState.find(id);
                            if (reservation != null
                                    && reservation.kind().equals(HostPlugins.LATER_HOST)
                                    && reservation.runsWithoutFailure()) {
                                hosts.stream()
                                        .filter(host -> !isPromised(host, reservation))
                                        .forEach(
                                                host ->
                                                        violations.accept(
                                                                "%s was freed while %s had it"
                                                                        .formatted(host, id)));
                            }
                        });
    }

    private boolean isPromised(String host, ExpectedReservationState reservation) {
        return expectedState.resources().entrySet().stream()
                .filter(each -> each.getValue().name().equals(host))
                .map(Map.Entry::getKey)
                .anyMatch(
                        id ->
                                expectedState
                                                .promises()
                                                .ofResource(id)
                                                .containsKey(reservation.id())
                                        || reservation.hasReplaced(id));
    }

    /** Returns the reservations that have a host; a host may be enrolled twice. */
    private List<ReservationId> holders(@Nullable String host) {
        return expectedState.holdings().present().stream()
                .filter(possession -> name(possession.resource()).equals(host))
                .map(Possession::reservation)
                .toList();
    }

    private String name(ResourceId resource) {
        ExpectedResourceState booked =
                Objects.requireNonNull(expectedState.resources().get(resource));
        return booked.name();
    }

    /** Checks that no reservation is left, and that the pool has exactly the enrolled hosts. */
    void checkFinalState() {
        if (!engine.cloud().reserved().isEmpty() || !engine.cloud().servers().isEmpty()) {
            violations.accept("the cloud is not clean: " + engine.cloud().reserved());
        }
        Set<String> enrolled = new TreeSet<>();
        expectedState.resources().values().forEach(resource -> enrolled.add(resource.name()));
        if (!enrolled.equals(new TreeSet<>(engine.cloud().freepool()))) {
            violations.accept(
                    "enrolled are %s, in the pool are %s"
                            .formatted(enrolled, engine.cloud().freepool()));
        }
    }
}
