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
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationChange;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.UserId;
import org.leasehold.query.Direction;
import org.leasehold.query.LeaseStatus;
import org.leasehold.query.LeaseView;
import org.leasehold.query.Leases.ListLeases;
import org.leasehold.query.Page;
import org.leasehold.query.ReservationView;

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
final class Outside {

    private static final ResourceKind HOST = ResourceKind.PHYSICAL_HOST;

    private final Engine engine;
    private final Invariants invariants;
    private final ResourceId[] hosts = new ResourceId[Scenario.HOSTS];
    private final Map<Integer, LeaseId> leases = new HashMap<>();
    private long requests;

    Outside(Engine engine, Invariants invariants) {
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
            commands.send(new ResourceCommand.EnableResource(hosts[host]), operator());
        }
    }

    /** Retries all failed leases. */
    void retryAll(Commands commands) {
        for (LeaseView lease : all(null)) {
            if (lease.status() == LeaseStatus.ERROR) {
                commands.send(new LeaseCommand.RetryLease(lease.id()), operator());
            }
        }
    }

    void take(Step.ByClient step, Commands commands) {
        switch (step) {
            case Step.Ask ask -> ask(ask, commands);
            case Step.Alter alter -> own(alter).ifPresent(lease -> alter(alter, lease, commands));
            case Step.EndEarly end ->
                    own(end).ifPresent(
                                    lease ->
                                            commands.send(
                                                    new LeaseCommand.EndLease(
                                                            lease.id(), EndCause.REQUESTED),
                                                    member(end.project())));
            case Step.Delete delete ->
                    own(delete)
                            .ifPresent(
                                    lease ->
                                            commands.send(
                                                    new LeaseCommand.DeleteLease(lease.id()),
                                                    member(delete.project())));
            case Step.Look look -> look(look);
            case Step.Boot boot -> boot(boot);
        }
    }

    void take(Step.ByOperator step, Commands commands) {
        switch (step) {
            case Step.Disable(_, int host) ->
                    commands.send(
                            new ResourceCommand.DisableResource(hosts[host], "maintenance"),
                            operator());
            case Step.Enable(_, int host) ->
                    commands.send(new ResourceCommand.EnableResource(hosts[host]), operator());
            case Step.Relabel(_, int host, boolean gpu) ->
                    commands.send(
                            new ResourceCommand.ChangeResource(
                                    hosts[host],
                                    gpu ? Map.of("gpu", "yes") : Map.of(),
                                    gpu ? Set.of() : Set.of("gpu")),
                            operator());
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
                            operator());
            case Step.Report(_, int host, @Nullable OutageExtent extent) ->
                    commands.send(
                            new ResourceCommand.ReportOutage(
                                    hosts[host],
                                    extent == null ? null : new Outage("it is " + extent, extent)),
                            operator());
            case Step.Renew(_, int host) -> {
                if (commands.send(new ResourceCommand.RetireResource(hosts[host]), operator())
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
                                                    operator()));
            case Step.ForceEnd(_, int lease) ->
                    find(lease).ifPresent(found -> forceEnd(found, commands));
        }
    }

    /** Ends a lease by force and cleans the cloud by hand, even without a response. */
    private void forceEnd(LeaseView lease, Commands commands) {
        List<ReservationId> reservations =
                lease.reservations().stream().map(ReservationView::id).toList();
        invariants.whileGivenUp(
                reservations,
                () -> {
                    try {
                        commands.send(new LeaseCommand.ForceEnd(lease.id()), operator());
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
                operator());
    }

    private void ask(Step.Ask ask, Commands commands) {
        Instant now = engine.clock().instant();
        String key = "ask-" + ask.lease();
        CommandContext context =
                member(
                        ask.project(),
                        new Idempotency(project(ask.project()).value(), key, key),
                        null);
        LeaseId first = new LeaseId(uuid(ask.lease(), 0));
        if (!leases.containsKey(ask.lease())) {
            leases.put(ask.lease(), first);
        }
        Outcome<LeaseRejection> outcome = commands.send(create(ask, first, now), context);
        if (ask.answerLost()) {
            // As in the gateway, a repeated request has a new lease id; only the key is the same.
            LeaseId second = new LeaseId(uuid(ask.lease(), 1));
            Outcome<LeaseRejection> again = commands.send(create(ask, second, now), context);
            boolean rejected = outcome instanceof Outcome.Rejected<?>;
            if (!rejected && !again.equals(outcome)) {
                invariants.complain("asked again: %s, at first: %s".formatted(again, outcome));
            }
            if (!engine.journal().stream(second.toString()).isEmpty()) {
                invariants.complain("asked twice, and there are two leases: " + second);
            }
        }
    }

    private LeaseCommand.CreateLease create(Step.Ask ask, LeaseId id, Instant now) {
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
                        .mapToObj(n -> wish(id, n, ask.wishes().get(n)))
                        .toList());
    }

    private ReservationWish wish(LeaseId lease, int place, Step.Wish wish) {
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

    private void alter(Step.Alter alter, LeaseView lease, Commands commands) {
        Duration hours = Duration.ofHours(alter.amount());
        Instant start = lease.period().start();
        Instant end = lease.period().end();
        LeaseCommand.ChangeLease change =
                switch (alter.alteration()) {
                    case LENGTHEN -> change(lease, null, end.plus(hours), List.of());
                    case SHORTEN -> change(lease, null, end.minus(hours), List.of());
                    case DEFER -> change(lease, start.plus(hours), end.plus(hours), List.of());
                    case GROW -> resize(lease, alter.amount());
                    case SHRINK -> resize(lease, -alter.amount());
                    case JOIN -> join(lease, alter.amount());
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
        commands.send(change, member(alter.project(), null, expected));
    }

    private static LeaseCommand.ChangeLease change(
            LeaseView lease,
            @Nullable Instant start,
            @Nullable Instant end,
            List<ReservationChange> reservations) {
        return new LeaseCommand.ChangeLease(lease.id(), null, start, end, null, reservations);
    }

    private static LeaseCommand.ChangeLease resize(LeaseView lease, int hosts) {
        ReservationView reservation = lease.reservations().getFirst();
        int minimum = ((Number) reservation.parameters().getOrDefault("min", 1)).intValue();
        int maximum = ((Number) reservation.parameters().getOrDefault("max", 1)).intValue();
        int least = Math.max(1, minimum + hosts);
        return change(
                lease,
                null,
                null,
                List.of(
                        new ReservationChange(
                                reservation.id(),
                                Map.of("min", least, "max", Math.max(least, maximum + hosts)))));
    }

    private LeaseCommand.ChangeLease join(LeaseView lease, int hosts) {
        return new LeaseCommand.ChangeLease(
                lease.id(),
                null,
                null,
                null,
                null,
                List.of(),
                List.of(
                        wish(
                                lease.id(),
                                lease.reservations().size(),
                                new Step.Wish(1, hosts, false, false))));
    }

    /** Checks that a project sees all its own leases, and none of others. */
    private void look(Step.Look look) {
        ProjectId project = project(look.project());
        find(look.lease())
                .filter(lease -> !lease.projectId().equals(project))
                .flatMap(lease -> engine.leases().find(lease.id(), project))
                .ifPresent(seen -> invariants.complain(project + " saw another's lease: " + seen));
        Set<LeaseId> seen = new HashSet<>();
        for (LeaseView lease : all(project)) {
            seen.add(lease.id());
            if (!lease.projectId().equals(project)) {
                invariants.complain(project + " was listed another's lease: " + lease);
            }
        }
        invariants
                .book()
                .leases()
                .forEach(
                        (id, lease) -> {
                            if (lease.project().equals(project)
                                    && !lease.isDeleted()
                                    && !seen.contains(id)) {
                                invariants.complain(project + " was not listed its lease " + id);
                            }
                        });
    }

    private void boot(Step.Boot boot) {
        find(boot.lease()).stream()
                .flatMap(lease -> lease.reservations().stream())
                .forEach(
                        reservation ->
                                engine.cloud()
                                        .boot("server", project(boot.project()), reservation.id()));
    }

    private List<LeaseView> all(@Nullable ProjectId project) {
        ListLeases question =
                new ListLeases(project, Set.of(), null, Direction.ASCENDING, null, 1000);
        Page<LeaseView> page = engine.leases().list(question);
        return page.items();
    }

    private Optional<LeaseView> own(Step.ByClient step) {
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
        return Chance.of(engine.scenario().seed() + 1_000_003L * lease + 7L * attempt).uuid();
    }

    private static ProjectId project(int number) {
        return new ProjectId("project-" + number);
    }

    private static UserId user(int project) {
        return new UserId("user-of-" + project);
    }

    private CommandContext member(int project) {
        return member(project, null, null);
    }

    private CommandContext member(
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

    private CommandContext operator() {
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
