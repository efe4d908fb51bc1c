package org.leasehold.gateway.v1;

import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.gateway.v1.http.V1Dates;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ReservationChange;
import org.leasehold.lease.UseObserved;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.Plugins;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The write side in memory, with its read side: it runs commands, and plans reservations with the
 * real plug-in. A test can make it refuse or reject. It has no calendar.
 */
public final class InMemoryEngine extends ScriptedEngine implements Commands {

    private final Clock clock;
    private final Plugins plugins;
    private final FakeIdempotentResponses answers = new FakeIdempotentResponses();
    private final Map<LeaseId, LeaseView> leases =
            Collections.synchronizedMap(new LinkedHashMap<>());
    private final LeaseDrafts drafts;
    private final InMemoryPast past;
    private final InMemoryLeaseViews readLeases;
    private final InMemoryResourceViews resources;
    private final InMemoryResourceCommands resourceCommands;
    private long resourceIds;

    public InMemoryEngine(Clock clock, Plugins plugins) {
        this.clock = clock;
        this.plugins = plugins;
        drafts = new LeaseDrafts(clock, plugins);
        past = new InMemoryPast(clock);
        readLeases = new InMemoryLeaseViews(leases, past);
        resources = new InMemoryResourceViews(clock);
        resourceCommands = new InMemoryResourceCommands(clock, resources);
    }

    /** Returns the stored responses. */
    public FakeIdempotentResponses answers() {
        return answers;
    }

    public InMemoryLeaseViews leases() {
        return readLeases;
    }

    public InMemoryResourceViews resources() {
        return resources;
    }

    public InMemoryPast past() {
        return past;
    }

    public synchronized void reset() {
        answers.forget();
        leases.clear();
        past.reset();
        resources.reset();
        resetScript();
        resourceIds = 0;
    }

    @Override
    public long position() {
        return past.last();
    }

    /** Changes a lease as the engine's own sagas do. */
    public void alter(LeaseId id, UnaryOperator<LeaseView> change) {
        leases.computeIfPresent(id, (key, lease) -> change.apply(lease));
    }

    @Override
    public synchronized Outcome<LeaseRejection> send(LeaseCommand command, CommandContext context) {
        received(command, context);
        Outcome<LeaseRejection> scripted = scripted(command);
        if (scripted != null) {
            return scripted;
        }
        Optional<LeaseRejection> rejection =
                unexpected(command.leaseId(), context).or(() -> carryOut(command));
        return rejection
                .<Outcome<LeaseRejection>>map(Outcome.Rejected::new)
                .orElseGet(() -> new Outcome.Accepted<>(store()));
    }

    private long store() {
        return past.store(leases, resources.all(), resources.allProperties());
    }

    /** Returns the time of a position. */
    public Instant storedAt(long stored) {
        return past.storedAt(stored);
    }

    private Optional<LeaseRejection> unexpected(LeaseId id, CommandContext context) {
        Set<Long> expected = context.expectedVersions();
        LeaseView lease = leases.get(id);
        return expected == null || lease == null || expected.contains(lease.version())
                ? Optional.empty()
                : Optional.of(new LeaseRejection.VersionMismatch(id, lease.version()));
    }

    private Optional<LeaseRejection> carryOut(LeaseCommand command) {
        return switch (command) {
            case CreateLease create -> drafts.create(create, leases);
            case ChangeLease change -> change(change);
            case LeaseCommand.DeleteLease delete -> {
                leases.remove(delete.leaseId());
                yield Optional.empty();
            }
            case LeaseCommand.ImportLease c -> throw new AssertionError(c);
            case LeaseCommand.RetryCreation c -> throw new AssertionError(c);
            case LeaseCommand.RetryEarly c -> throw new AssertionError(c);
            case LeaseCommand.StartLease c -> throw new AssertionError(c);
            case LeaseCommand.AnnounceEnd c -> throw new AssertionError(c);
            case LeaseCommand.EndLease end -> end(end.leaseId());
            case LeaseCommand.ConfirmStart c -> throw new AssertionError(c);
            case LeaseCommand.ConfirmAdjustment c -> throw new AssertionError(c);
            case LeaseCommand.ConfirmRelease c -> throw new AssertionError(c);
            case LeaseCommand.ReportFault c -> throw new AssertionError(c);
            case LeaseCommand.RecordOutage c -> throw new AssertionError(c);
            case LeaseCommand.ReplaceResource c -> throw new AssertionError(c);
            case LeaseCommand.ReplaceFailedResource c -> throw new AssertionError(c);
            case LeaseCommand.RetryLease retry -> Optional.empty();
            case LeaseCommand.ForceEnd force -> end(force.leaseId());
        };
    }

    private Optional<LeaseRejection> end(LeaseId id) {
        alter(id, drafts::ended);
        return Optional.empty();
    }

    private Optional<LeaseRejection> change(ChangeLease command) {
        LeaseView lease = leases.get(command.leaseId());
        if (lease == null) {
            return Optional.of(new LeaseRejection.LeaseNotFound(command.leaseId()));
        }
        String name = command.name() == null ? lease.name() : command.name();
        if (name.codePointCount(0, name.length()) > 80) {
            return Optional.of(new LeaseRejection.InvalidName(name.length(), 80));
        }
        Instant start = command.start() == null ? lease.period().start() : command.start();
        Instant end = command.end() == null ? lease.period().end() : command.end();
        if (start.isBefore(V1Dates.truncateToMinute(clock.instant()))) {
            return Optional.of(new LeaseRejection.StartInPast(start, clock.instant()));
        }
        if (!end.isAfter(start)) {
            return Optional.of(new LeaseRejection.EndInPast(end, clock.instant()));
        }
        LeasePeriod period = new LeasePeriod(start, end);
        if (command.beforeEnd() != null && !period.contains(command.beforeEnd())) {
            return Optional.of(new LeaseRejection.BeforeEndOutside(command.beforeEnd(), period));
        }
        List<String> unknown =
                command.reservations().stream()
                        .map(ReservationChange::id)
                        .filter(
                                id ->
                                        lease.reservations().stream()
                                                .noneMatch(r -> r.id().equals(id)))
                        .map(ReservationId::toString)
                        .toList();
        if (!unknown.isEmpty()) {
            return Optional.of(new LeaseRejection.UnknownReservations(unknown));
        }
        for (int index = 0; index < command.removed().size(); index++) {
            ReservationId removed = command.removed().get(index);
            if (lease.reservation(removed).isEmpty()) {
                return Optional.of(new LeaseRejection.UnknownRemoval(index, removed));
            }
        }
        List<ReservationView> reservations = new ArrayList<>();
        for (ReservationView reservation : lease.reservations()) {
            if (command.removed().contains(reservation.id())) {
                continue;
            }
            ReservationView changed = reservation;
            for (ReservationChange change : command.reservations()) {
                if (change.id().equals(reservation.id())) {
                    Plan plan =
                            plugins.find(reservation.kind())
                                    .orElseThrow()
                                    .planning()
                                    .change(reservation.parameters(), change.parameters(), false);
                    if (plan instanceof Plan.Invalid invalid) {
                        return Optional.of(
                                new LeaseRejection.InvalidReservation(
                                        0, invalid.field(), invalid.message()));
                    }
                    changed = drafts.with(reservation, ((Plan.Planned) plan).parameters());
                }
            }
            reservations.add(changed);
        }
        Optional<LeaseRejection> unclear = drafts.add(command.further(), reservations);
        if (unclear.isPresent()) {
            return unclear;
        }
        leases.put(
                lease.id(),
                new LeaseView(
                        lease.id(),
                        lease.projectId(),
                        lease.userId(),
                        name,
                        lease.status(),
                        new LeasePeriod(start, end),
                        command.beforeEnd() == null ? lease.beforeEnd() : command.beforeEnd(),
                        null,
                        reservations,
                        lease.scheduledEvents(),
                        lease.createdAt(),
                        clock.instant(),
                        lease.version() + 1,
                        null,
                        null));
        return Optional.empty();
    }

    @Override
    public synchronized Outcome<ResourceRejection> send(
            ResourceCommand command, CommandContext context) {
        received(context);
        Outcome<ResourceRejection> scripted = scriptedForResource();
        if (scripted != null) {
            return scripted;
        }
        Optional<ResourceRejection> rejection = resourceCommands.carryOut(command);
        return rejection
                .<Outcome<ResourceRejection>>map(Outcome.Rejected::new)
                .orElseGet(() -> new Outcome.Accepted<>(store()));
    }

    @Override
    public synchronized void send(PropertyVisibility command, CommandContext context) {
        received(context);
        resources.putProperty(command.property(), command.hidden(), clock.instant());
        store();
    }

    @Override
    public void send(UseObserved command, CommandContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public synchronized Rehearsal rehearse(CreateLease command, CommandContext context) {
        Outcome<LeaseRejection> scripted = scripted(command);
        if (scripted != null) {
            return new Rehearsal(scripted, List.of());
        }
        Optional<LeaseRejection> rejection = drafts.create(command, new HashMap<>());
        if (rejection.isPresent()) {
            return new Rehearsal(new Outcome.Rejected<>(rejection.get()), List.of());
        }
        return new Rehearsal(new Outcome.Accepted<>(position()), LeaseDrafts.grants(command));
    }

    @Override
    public ResourceId nextResourceId() {
        return new ResourceId(++resourceIds);
    }
}
