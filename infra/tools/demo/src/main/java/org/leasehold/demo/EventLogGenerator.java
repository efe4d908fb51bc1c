package org.leasehold.demo;

import org.axonframework.eventhandling.DomainEventMessage;
import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.demo.WorkloadStep.Asked;
import org.leasehold.demo.WorkloadStep.Cancelled;
import org.leasehold.demo.WorkloadStep.Down;
import org.leasehold.demo.WorkloadStep.Enrolled;
import org.leasehold.demo.WorkloadStep.GivenBack;
import org.leasehold.demo.WorkloadStep.Labelled;
import org.leasehold.demo.WorkloadStep.Mended;
import org.leasehold.demo.WorkloadStep.NoShow;
import org.leasehold.demo.WorkloadStep.Prolonged;
import org.leasehold.demo.WorkloadStep.PutBack;
import org.leasehold.demo.WorkloadStep.Retired;
import org.leasehold.demo.WorkloadStep.Seen;
import org.leasehold.demo.WorkloadStep.TakenOut;
import org.leasehold.demo.WorkloadStep.Up;
import org.leasehold.inventory.Outage;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.UseObserved;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Generates the event log of a workload: users act as it defines, and the engine decides. */
final class EventLogGenerator {

    private static final Duration ANNOUNCEMENT_LEAD = Duration.ofHours(1);
    private static final int VCPUS_PER_SERVER = 4;

    private final WorkloadRandom random;
    private final Fleet fleet = new Fleet();
    private final SingleNodeEngine engine;
    private final Map<String, ResourceId> resources = new HashMap<>();
    private final Map<LeaseId, Project> projects = new HashMap<>();
    private final Map<LeaseId, String> users = new HashMap<>();

    private EventLogGenerator(WorkloadRandom draw, Instant beginning) {
        this.random = draw;
        this.engine = new SingleNodeEngine(draw.split(), beginning);
    }

    /**
     * Runs a workload.
     *
     * @return every event, in the order of their positions, the first of which is 1. None is
     *     decided after the end of the workload, and no work is left
     */
    static List<DomainEventMessage<?>> of(Workload demand, long seed) {
        EventLogGenerator past = new EventLogGenerator(WorkloadRandom.of(~seed), demand.from());
        for (WorkloadStep happening : demand.happenings()) {
            past.engine.runUntil(happening.at());
            past.apply(happening);
        }
        past.engine.runUntil(demand.until());
        if (!past.engine.isIdle() || past.engine.now().isAfter(demand.until())) {
            throw new IllegalStateException("The past is not over at " + past.engine.now());
        }
        return past.engine.events();
    }

    private void apply(WorkloadStep happening) {
        switch (happening) {
            case WorkloadStep.ToResource toResource -> apply(toResource);
            case WorkloadStep.ToLease toLease -> apply(toLease);
        }
    }

    private void apply(WorkloadStep.ToResource happening) {
        ResourceCommand command =
                switch (happening) {
                    case Enrolled(_, String name) -> enrol(name);
                    case Down(_, String name) ->
                            new ResourceCommand.ReportOutage(id(name), Outage.down("it is down"));
                    case Up(_, String name) -> new ResourceCommand.ReportOutage(id(name), null);
                    case TakenOut(_, String name, String why) ->
                            new ResourceCommand.DisableResource(id(name), why);
                    case PutBack(_, String name) -> new ResourceCommand.EnableResource(id(name));
                    case Labelled(_, String name, Map<String, String> labels) ->
                            new ResourceCommand.ChangeResource(id(name), labels, Set.of());
                    case Retired(_, String name) -> new ResourceCommand.RetireResource(id(name));
                };
        boolean byItself = command instanceof ResourceCommand.ReportOutage;
        engine.tickAndGetCommands()
                .send(command, byItself ? engineContext() : operatorContext(null));
    }

    private ResourceId id(String name) {
        return Objects.requireNonNull(resources.get(name));
    }

    private ResourceCommand enrol(String name) {
        Fleet.Piece piece = Objects.requireNonNull(fleet.resourcesByName().get(name));
        ResourceId id = engine.tickAndGetCommands().nextResourceId();
        resources.put(name, id);
        return new ResourceCommand.EnrolResource(
                id, piece.kind(), name, null, piece.zone(), piece.attributes(), piece.labels());
    }

    private void apply(WorkloadStep.ToLease happening) {
        switch (happening) {
            case Asked asked -> requestLease(asked);
            case Prolonged(_, LeaseId lease, Instant end) -> {
                if (hasStatus(lease, LeaseStatus.ACTIVE)
                        && view(lease).period().end().isBefore(end)) {
                    send(
                            new LeaseCommand.ChangeLease(lease, null, null, end, null, List.of()),
                            ownerContext(lease));
                }
            }
            case GivenBack(_, LeaseId lease) -> {
                if (hasStatus(lease, LeaseStatus.ACTIVE)) {
                    send(new LeaseCommand.EndLease(lease, EndCause.REQUESTED), ownerContext(lease));
                }
            }
            case Cancelled(_, LeaseId lease) -> {
                if (hasStatus(lease, LeaseStatus.PENDING)) {
                    send(new LeaseCommand.DeleteLease(lease), ownerContext(lease));
                }
            }
            case NoShow(_, LeaseId lease) -> {
                if (hasStatus(lease, LeaseStatus.ACTIVE)) {
                    send(
                            new LeaseCommand.EndLease(lease, EndCause.REQUESTED),
                            operatorContext("nobody came"));
                }
            }
            case Seen(_, LeaseId lease, int servers) -> {
                if (hasStatus(lease, LeaseStatus.ACTIVE)) {
                    observeUse(lease, servers);
                }
            }
            case Mended(_, LeaseId lease) -> {
                if (hasStatus(lease, LeaseStatus.ERROR)) {
                    view(lease).reservations().forEach(r -> engine.cloud().clearTrouble(r.id()));
                    send(
                            new LeaseCommand.RetryLease(lease),
                            operatorContext("the host answers again"));
                }
            }
        }
    }

    private void observeUse(LeaseId lease, int servers) {
        ProjectId project = new ProjectId(Objects.requireNonNull(projects.get(lease)).id());
        for (ReservationView reservation : view(lease).reservations()) {
            if (!reservation.kind().equals(ResourceKind.PHYSICAL_HOST)) {
                continue;
            }
            for (Allocation host : reservation.allocations()) {
                engine.tickAndGetCommands()
                        .send(
                                new UseObserved(
                                        lease,
                                        project,
                                        reservation.id(),
                                        host.resource(),
                                        servers,
                                        servers * VCPUS_PER_SERVER),
                                engineContext());
            }
        }
    }

    private boolean hasStatus(LeaseId lease, LeaseStatus status) {
        return engine.leases().find(lease, null).filter(v -> v.status() == status).isPresent();
    }

    private LeaseView view(LeaseId lease) {
        return engine.leases().find(lease, null).orElseThrow();
    }

    private void requestLease(Asked asked) {
        projects.put(asked.lease(), asked.project());
        users.put(asked.lease(), asked.user());
        List<ReservationWish> wishes = new ArrayList<>();
        for (RequestedResources wish : asked.wishes()) {
            ReservationId id = new ReservationId(random.uuid());
            wishes.add(new ReservationWish(id, wish.kind(), wish.parameters()));
        }
        engine.cloud().injectTrouble(wishes.getFirst().id(), asked.trouble());
        boolean isLong =
                Duration.between(asked.start(), asked.end())
                                .compareTo(ANNOUNCEMENT_LEAD.multipliedBy(2))
                        >= 0;
        send(
                new LeaseCommand.CreateLease(
                        asked.lease(),
                        new ProjectId(asked.project().id()),
                        new UserId(asked.user()),
                        asked.name(),
                        asked.start(),
                        asked.end(),
                        isLong ? asked.end().minus(ANNOUNCEMENT_LEAD) : null,
                        wishes,
                        null,
                        null),
                ownerContext(asked.lease()));
    }

    /** Sends a command, which must not be rejected. */
    private void send(LeaseCommand command, CommandContext context) {
        Commands commands = engine.tickAndGetCommands();
        if (commands.send(command, context) instanceof Outcome.Rejected<LeaseRejection> rejected) {
            throw new IllegalStateException("%s: %s".formatted(command, rejected));
        }
    }

    private CommandContext ownerContext(LeaseId lease) {
        return userContext(
                Objects.requireNonNull(users.get(lease)),
                Objects.requireNonNull(projects.get(lease)).id(),
                "member",
                null);
    }

    private CommandContext operatorContext(@Nullable String reason) {
        return userContext("admin", "admin", "admin", reason);
    }

    private CommandContext engineContext() {
        return CommandContext.ofEngine(engine.now(), request(), null);
    }

    private CommandContext userContext(
            String user, String project, String role, @Nullable String reason) {
        return new CommandContext(
                        engine.now(), request(), user, project, List.of(role), "basic", null)
                .withReason(reason);
    }

    private String request() {
        return "req-" + random.uuid();
    }
}
