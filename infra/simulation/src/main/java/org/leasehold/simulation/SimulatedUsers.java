package org.leasehold.simulation;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.Outage;
import org.leasehold.inventory.OutageExtent;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ReservationChange;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;

/** The projects and the operator. It carries out their steps, and checks their query results. */
final class SimulatedUsers {

    private static final ResourceKind HOST = ResourceKind.PHYSICAL_HOST;

    private final DurableState engine;
    private final Invariants invariants;
    private final ResourceId[] hosts = new ResourceId[Scenario.HOSTS];
    private final Map<Integer, LeaseId> leases = new HashMap<>();
    private long requests;

    SimulatedUsers(DurableState engine, Invariants invariants) {
        this.engine = engine;
        this.invariants = invariants;
    }

    void enrolAll(Commands commands) {
        for (int host = 0; host < Scenario.HOSTS; host++) {
            enrol(commands, host);
        }
    }

    void enableAll(Commands commands) {
        for (int host = 0; host < Scenario.HOSTS; host++) {
            commands.send(new ResourceCommand.EnableResource(hosts[host]), operatorContext());
        }
    }

    /** Retries all failed leases. */
    void retryAll(Commands commands) {
        for (LeaseView lease : listLeases(null)) {
            if (lease.status() == LeaseStatus.ERROR) {
                commands.send(new LeaseCommand.RetryLease(lease.id()), operatorContext());
            }
        }
    }

    void executeStep(Step.ByClient step, Commands commands) {
        switch (step) {
            case Step.Ask ask -> requestLease(ask, commands);
            case Step.Alter alter ->
                    findOwn(alter).ifPresent(lease -> changeLease(alter, lease, commands));
            case Step.EndEarly end ->
                    findOwn(end)
                            .ifPresent(
                                    lease ->
                                            commands.send(
                                                    new LeaseCommand.EndLease(
                                                            lease.id(), EndCause.REQUESTED),
                                                    memberContext(end.project())));
            case Step.Delete delete ->
                    findOwn(delete)
                            .ifPresent(
                                    lease ->
                                            commands.send(
                                                    new LeaseCommand.DeleteLease(lease.id()),
                                                    memberContext(delete.project())));
            case Step.Look look -> checkVisibleLeases(look);
            case Step.Boot boot -> bootServer(boot);
        }
    }

    void executeStep(Step.ByOperator step, Commands commands) {
        switch (step) {
            case Step.Disable(_, int host) ->
                    commands.send(
                            new ResourceCommand.DisableResource(hosts[host], "maintenance"),
                            operatorContext());
            case Step.Enable(_, int host) ->
                    commands.send(
                            new ResourceCommand.EnableResource(hosts[host]), operatorContext());
            case Step.Relabel(_, int host, boolean gpu) ->
                    commands.send(
                            new ResourceCommand.ChangeResource(
                                    hosts[host],
                                    gpu ? Map.of("gpu", "yes") : Map.of(),
                                    gpu ? Set.of() : Set.of("gpu")),
                            operatorContext());
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
                            operatorContext());
            case Step.Report(_, int host, @Nullable OutageExtent extent) ->
                    commands.send(
                            new ResourceCommand.ReportOutage(
                                    hosts[host],
                                    extent == null ? null : new Outage("it is " + extent, extent)),
                            operatorContext());
            case Step.Renew(_, int host) -> {
                if (commands.send(
                                new ResourceCommand.RetireResource(hosts[host]), operatorContext())
                        instanceof Outcome.Accepted<?>) {
                    enrol(commands, host);
                }
            }
            case Step.Retry(_, int lease) ->
                    find(lease)
                            .ifPresent(
                                    found ->
                                            commands.send(
                                                    new LeaseCommand.RetryLease(found.id()),
                                                    operatorContext()));
            case Step.ForceEnd(_, int lease) ->
                    find(lease).ifPresent(found -> forceEnd(found, commands));
        }
    }

    /** Ends a lease by force and cleans the cloud by hand, even without a response. */
    private void forceEnd(LeaseView lease, Commands commands) {
        List<ReservationId> reservations =
                lease.reservations().stream().map(ReservationView::id).toList();
        invariants.runWithoutServerCheck(
                reservations,
                () -> {
                    try {
                        commands.send(new LeaseCommand.ForceEnd(lease.id()), operatorContext());
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
                operatorContext());
    }

    private void requestLease(Step.Ask ask, Commands commands) {
        Instant now = engine.clock().instant();
        String key = "ask-" + ask.lease();
        CommandContext context =
                memberContext(
                        ask.project(),
                        new Idempotency(project(ask.project()).value(), key, key),
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
                project(ask.project()),
                user(ask.project()),
                "lease-" + ask.lease(),
                start,
                end,
                beforeEnd == null ? null : end.minus(beforeEnd),
                IntStream.range(0, ask.wishes().size())
                        .mapToObj(n -> reservationRequest(id, n, ask.wishes().get(n)))
                        .toList());
    }

    private ReservationWish reservationRequest(LeaseId lease, int place, Step.Wish wish) {
        Map<String, @Nullable Object> parameters = new HashMap<>();
        parameters.put("min", wish.minimum());
        parameters.put("max", wish.maximum());
        parameters.put("hypervisor_properties", "");
        parameters.put("resource_properties", wish.gpu() ? "[\"==\", \"$gpu\", \"yes\"]" : "");
        parameters.put("selection", wish.spread() ? "spread" : "first_fit");
        parameters.put("before_end", "snapshot");
        UUID id =
                new UUID(
                        lease.value().getMostSignificantBits() ^ (place + 1),
                        lease.value().getLeastSignificantBits());
        return new ReservationWish(new ReservationId(id), HOST, parameters);
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
        commands.send(change, memberContext(alter.project(), null, expected));
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

    private LeaseCommand.ChangeLease addReservationCommand(LeaseView lease, int hosts) {
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
                                new Step.Wish(1, hosts, false, false))));
    }

    /** Checks that a project sees all its own leases, and none of others. */
    private void checkVisibleLeases(Step.Look look) {
        ProjectId project = project(look.project());
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
                                        .boot("server", project(boot.project()), reservation.id()));
    }

    private List<LeaseView> listLeases(@Nullable ProjectId project) {
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
                    case Step.EndEarly end -> end.lease();
                    case Step.Delete delete -> delete.lease();
                    case Step.Look look -> look.lease();
                    case Step.Boot boot -> boot.lease();
                };
        LeaseId id = leases.get(lease);
        return id == null ? Optional.empty() : engine.leases().find(id, project(step.project()));
    }

    private Optional<LeaseView> find(int lease) {
        LeaseId id = leases.get(lease);
        return id == null ? Optional.empty() : engine.leases().find(id, null);
    }

    private UUID uuid(int lease, int attempt) {
        return SeededRandom.of(engine.scenario().seed() + 1_000_003L * lease + 7L * attempt).uuid();
    }

    private static ProjectId project(int number) {
        return new ProjectId("project-" + number);
    }

    private static UserId user(int project) {
        return new UserId("user-of-" + project);
    }

    private CommandContext memberContext(int project) {
        return memberContext(project, null, null);
    }

    private CommandContext memberContext(
            int project, @Nullable Idempotency key, @Nullable Set<Long> versions) {
        requests++;
        return new CommandContext(
                engine.clock().instant(),
                "req-" + requests,
                user(project).value(),
                project(project).value(),
                List.of("member"),
                "basic",
                null,
                null,
                key,
                versions);
    }

    private CommandContext operatorContext() {
        requests++;
        return new CommandContext(
                engine.clock().instant(),
                "req-" + requests,
                "operator",
                "operations",
                List.of("admin"),
                "basic",
                null,
                null,
                null,
                null);
    }
}
