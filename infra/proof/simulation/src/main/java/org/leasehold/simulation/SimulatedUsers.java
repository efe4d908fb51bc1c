package org.leasehold.simulation;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ReservationChange;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.StartFailurePolicy;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.simulation.memory.HostPlugins;
import org.leasehold.simulation.memory.VirtualClock;
import org.leasehold.simulation.scenario.Scenario;
import org.leasehold.simulation.scenario.SeededRandom;
import org.leasehold.simulation.scenario.Step;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/** The projects. It carries out their steps, and checks their query results. */
final class SimulatedUsers {

    private final DurableState engine;
    private final Invariants invariants;
    private final Map<Integer, LeaseId> leases = new HashMap<>();
    private final CommandContexts contexts;

    SimulatedUsers(DurableState engine, Invariants invariants, CommandContexts contexts) {
        this.engine = engine;
        this.invariants = invariants;
        this.contexts = contexts;
    }

    void executeStep(Step.ByClient step, Commands commands) {
        switch (step) {
            case Step.Ask ask -> requestLease(ask, commands);
            case Step.Alter alter ->
                    findOwn(alter).ifPresent(lease -> changeLease(alter, lease, commands));
            case Step.Remove remove ->
                    findOwn(remove)
                            .ifPresent(
                                    lease ->
                                            commands.send(
                                                    removeCommand(remove, lease),
                                                    contexts.ofMember(remove.project())));
            case Step.EndEarly end ->
                    findOwn(end)
                            .ifPresent(
                                    lease ->
                                            commands.send(
                                                    new LeaseCommand.EndLease(
                                                            lease.id(), EndCause.REQUESTED),
                                                    contexts.ofMember(end.project())));
            case Step.Delete delete ->
                    findOwn(delete)
                            .ifPresent(
                                    lease ->
                                            commands.send(
                                                    new LeaseCommand.DeleteLease(lease.id()),
                                                    contexts.ofMember(delete.project())));
            case Step.Look look -> checkVisibleLeases(look);
            case Step.Boot boot -> bootServer(boot);
        }
    }

    private void requestLease(Step.Ask ask, Commands commands) {
        Instant now = engine.clock().instant();
        String key = "ask-" + ask.lease();
        CommandContext context =
                contexts.ofMember(
                        ask.project(),
                        new Idempotency(CommandContexts.project(ask.project()).value(), key, key),
                        null);
        LeaseId first = new LeaseId(uuid(ask.lease(), 0));
        if (!leases.containsKey(ask.lease())) {
            leases.put(ask.lease(), first);
        }
        Outcome<LeaseRejection> outcome = commands.send(createCommand(ask, first, now), context);
        if (ask.answerLost()) {
            // As in the gateway, a repeated request has a new lease id; only the key is the same.
            LeaseId second = new LeaseId(uuid(ask.lease(), 1));
            Outcome<LeaseRejection> again = commands.send(createCommand(ask, second, now), context);
            boolean rejected = outcome instanceof Outcome.Rejected<?>;
            if (!rejected && !again.equals(outcome)) {
                invariants.reportViolation(
                        "asked again: %s, at first: %s".formatted(again, outcome));
            }
            if (!engine.eventLog().stream(second.toString()).isEmpty()) {
                invariants.reportViolation("asked twice, and there are two leases: " + second);
            }
        }
    }

    private LeaseCommand.CreateLease createCommand(Step.Ask ask, LeaseId id, Instant now) {
        Instant wished = VirtualClock.BEGINNING.plus(ask.start());
        Instant start = wished.isBefore(now) ? now.truncatedTo(ChronoUnit.MINUTES) : wished;
        Instant end = start.plus(ask.length());
        Duration beforeEnd = ask.beforeEnd();
        return new LeaseCommand.CreateLease(
                id,
                CommandContexts.project(ask.project()),
                CommandContexts.user(ask.project()),
                "lease-" + ask.lease(),
                start,
                end,
                beforeEnd == null ? null : end.minus(beforeEnd),
                IntStream.range(0, ask.wishes().size())
                        .mapToObj(n -> reservationRequest(id, n, kind(ask, n), ask.wishes().get(n)))
                        .toList(),
                retries(ask),
                ask.lease() % 4 == 1 ? StartFailurePolicy.RELEASE : null);
    }

    /** Returns the retries, some of which end beyond the start of the lease. */
    private static LeaseCommand.CreateLease.@Nullable Retry retries(Step.Ask ask) {
        return ask.retries() == 0
                ? null
                : new LeaseCommand.CreateLease.Retry(
                        ask.retries(), Duration.ofMinutes(40L * ask.retries()));
    }

    /**
     * Returns the kind of a reservation: one of two may start after the other one. Others are
     * alone, so that enough of them get fewer hosts while they run.
     */
    private static ResourceKind kind(Step.Ask ask, int number) {
        return (ask.wishes().size() == 2
                        ? ask.lease() % 3 == number
                        : Scenario.hasLaterHosts(ask.lease()))
                ? HostPlugins.LATER_HOST
                : ResourceKind.PHYSICAL_HOST;
    }

    private static ReservationWish reservationRequest(
            LeaseId lease, int number, ResourceKind kind, Step.Wish wish) {
        Map<String, @Nullable Object> parameters = new HashMap<>();
        parameters.put("min", wish.minimum());
        parameters.put("max", wish.maximum());
        parameters.put("hypervisor_properties", "");
        parameters.put("resource_properties", wish.gpu() ? "[\"==\", \"$gpu\", \"yes\"]" : "");
        parameters.put("selection", wish.spread() ? "spread" : "first_fit");
        parameters.put("before_end", "snapshot");
        UUID id =
                new UUID(
                        lease.value().getMostSignificantBits() ^ (number + 1),
                        lease.value().getLeastSignificantBits());
        return new ReservationWish(new ReservationId(id), kind, parameters);
    }

    private void changeLease(Step.Alter alter, LeaseView lease, Commands commands) {
        Duration hours = Duration.ofHours(alter.amount());
        Instant start = lease.period().start();
        Instant end = lease.period().end();
        LeaseCommand.ChangeLease change =
                switch (alter.alteration()) {
                    case LENGTHEN -> changeCommand(lease, null, end.plus(hours), List.of());
                    case SHORTEN -> changeCommand(lease, null, end.minus(hours), List.of());
                    case DEFER ->
                            changeCommand(lease, start.plus(hours), end.plus(hours), List.of());
                    case GROW -> resizeCommand(lease, alter.amount());
                    case SHRINK -> resizeCommand(lease, -alter.amount());
                    case JOIN -> addReservationCommand(lease, alter.amount());
                    case RENAME ->
                            new LeaseCommand.ChangeLease(
                                    lease.id(),
                                    "renamed-" + alter.amount(),
                                    null,
                                    null,
                                    null,
                                    List.of());
                };
        Set<Long> expected = alter.amount() == 1 ? Set.of(lease.version()) : null;
        commands.send(change, contexts.ofMember(alter.project(), null, expected));
    }

    private static LeaseCommand.ChangeLease changeCommand(
            LeaseView lease,
            @Nullable Instant start,
            @Nullable Instant end,
            List<ReservationChange> reservations) {
        return new LeaseCommand.ChangeLease(lease.id(), null, start, end, null, reservations);
    }

    private static LeaseCommand.ChangeLease resizeCommand(LeaseView lease, int hosts) {
        ReservationView reservation = lease.reservations().getFirst();
        int minimum = ((Number) reservation.parameters().getOrDefault("min", 1)).intValue();
        int maximum = ((Number) reservation.parameters().getOrDefault("max", 1)).intValue();
        int least = Math.max(1, minimum + hosts);
        return changeCommand(
                lease,
                null,
                null,
                List.of(
                        new ReservationChange(
                                reservation.id(),
                                Map.of("min", least, "max", Math.max(least, maximum + hosts)))));
    }

    private static LeaseCommand.ChangeLease addReservationCommand(LeaseView lease, int hosts) {
        return new LeaseCommand.ChangeLease(
                lease.id(),
                null,
                null,
                null,
                null,
                List.of(),
                List.of(
                        reservationRequest(
                                lease.id(),
                                lease.reservations().size(),
                                hosts == 1 ? HostPlugins.LATER_HOST : ResourceKind.PHYSICAL_HOST,
                                new Step.Wish(1, hosts, false, false))));
    }

    /** Returns a removal, with an addition in the same change for some steps. */
    private static LeaseCommand.ChangeLease removeCommand(Step.Remove step, LeaseView lease) {
        List<ReservationView> reservations = lease.reservations();
        ReservationId removed = reservations.get(step.reservation() % reservations.size()).id();
        List<ReservationWish> further =
                step.further() == 0
                        ? List.of()
                        : List.of(
                                reservationRequest(
                                        lease.id(),
                                        // No other reservation of the lease has, or had, it.
                                        (int) lease.version() + 100,
                                        ResourceKind.PHYSICAL_HOST,
                                        new Step.Wish(1, step.further(), false, false)));
        return new LeaseCommand.ChangeLease(
                lease.id(), null, null, null, null, List.of(), further, List.of(removed));
    }

    /** Checks that a project sees all its own leases, and none of others. */
    private void checkVisibleLeases(Step.Look look) {
        ProjectId project = CommandContexts.project(look.project());
        find(look.lease())
                .filter(lease -> !lease.projectId().equals(project))
                .flatMap(lease -> engine.leases().find(lease.id(), project))
                .ifPresent(
                        seen ->
                                invariants.reportViolation(
                                        project + " saw another's lease: " + seen));
        Set<LeaseId> seen = new HashSet<>();
        for (LeaseView lease : listLeases(project)) {
            seen.add(lease.id());
            if (!lease.projectId().equals(project)) {
                invariants.reportViolation(project + " was listed another's lease: " + lease);
            }
        }
        invariants
                .expectedState()
                .leases()
                .forEach(
                        (id, lease) -> {
                            if (lease.project().equals(project)
                                    && !lease.isDeleted()
                                    && !seen.contains(id)) {
                                invariants.reportViolation(
                                        project + " was not listed its lease " + id);
                            }
                        });
    }

    private void bootServer(Step.Boot boot) {
        find(boot.lease()).stream()
                .flatMap(lease -> lease.reservations().stream())
                .forEach(
                        reservation ->
                                engine.cloud()
                                        .boot(
                                                "server",
                                                CommandContexts.project(boot.project()),
                                                reservation.id()));
    }

    /** Returns the leases of a project, or of all projects. */
    List<LeaseView> listLeases(@Nullable ProjectId project) {
        ListLeases question =
                new ListLeases(project, Set.of(), null, SortDirection.ASCENDING, null, 1000);
        Page<LeaseView> page = engine.leases().list(question);
        return page.items();
    }

    private Optional<LeaseView> findOwn(Step.ByClient step) {
        int lease =
                switch (step) {
                    case Step.Ask ask -> ask.lease();
                    case Step.Alter alter -> alter.lease();
                    case Step.Remove remove -> remove.lease();
                    case Step.EndEarly end -> end.lease();
                    case Step.Delete delete -> delete.lease();
                    case Step.Look look -> look.lease();
                    case Step.Boot boot -> boot.lease();
                };
        LeaseId id = leases.get(lease);
        return id == null
                ? Optional.empty()
                : engine.leases().find(id, CommandContexts.project(step.project()));
    }

    /** Returns the lease with this number. */
    Optional<LeaseView> find(int lease) {
        LeaseId id = leases.get(lease);
        return id == null ? Optional.empty() : engine.leases().find(id, null);
    }

    private UUID uuid(int lease, int attempt) {
        return SeededRandom.of(engine.scenario().seed() + 1_000_003L * lease + 7L * attempt).uuid();
    }
}
