package org.leasehold.demo;

import org.axonframework.eventhandling.DomainEventMessage;
import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.demo.Happening.Asked;
import org.leasehold.demo.Happening.Cancelled;
import org.leasehold.demo.Happening.Down;
import org.leasehold.demo.Happening.Enrolled;
import org.leasehold.demo.Happening.GivenBack;
import org.leasehold.demo.Happening.Labelled;
import org.leasehold.demo.Happening.Mended;
import org.leasehold.demo.Happening.NoShow;
import org.leasehold.demo.Happening.Prolonged;
import org.leasehold.demo.Happening.PutBack;
import org.leasehold.demo.Happening.Retired;
import org.leasehold.demo.Happening.Seen;
import org.leasehold.demo.Happening.TakenOut;
import org.leasehold.demo.Happening.Up;
import org.leasehold.inventory.Outage;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.UseObserved;
import org.leasehold.lease.UserId;
import org.leasehold.query.LeaseStatus;
import org.leasehold.query.LeaseView;
import org.leasehold.query.ReservationView;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The engine's history of a demand: users act as the demand says, and the engine decides. */
final class Past {

    private static final Duration ANNOUNCED = Duration.ofHours(1);
    private static final int VCPUS_OF_A_SERVER = 4;

    private final Draw draw;
    private final Fleet fleet = new Fleet();
    private final PastEngine engine;
    private final Map<String, ResourceId> resources = new HashMap<>();
    private final Map<LeaseId, Project> projects = new HashMap<>();
    private final Map<LeaseId, String> users = new HashMap<>();

    private Past(Draw draw, Instant beginning) {
        this.draw = draw;
        this.engine = new PastEngine(draw.split(), beginning);
    }

    /**
     * Runs a demand.
     *
     * @return every event, in the order of their positions, the first of which is 1. None is
     *     decided after the end of the demand, and no work is left
     */
    static List<DomainEventMessage<?>> of(Demand demand, long seed) {
        Past past = new Past(Draw.of(~seed), demand.from());
        for (Happening happening : demand.happenings()) {
            past.engine.runUntil(happening.at());
            past.take(happening);
        }
        past.engine.runUntil(demand.until());
        if (!past.engine.isQuiet() || past.engine.now().isAfter(demand.until())) {
            throw new IllegalStateException("The past is not over at " + past.engine.now());
        }
        return past.engine.history();
    }

    private void take(Happening happening) {
        switch (happening) {
            case Happening.ToResource toResource -> take(toResource);
            case Happening.ToLease toLease -> take(toLease);
        }
    }

    private void take(Happening.ToResource happening) {
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
        engine.sends().send(command, byItself ? byItself() : operator(null));
    }

    private ResourceId id(String name) {
        return Objects.requireNonNull(resources.get(name));
    }

    private ResourceCommand enrol(String name) {
        Fleet.Piece piece = Objects.requireNonNull(fleet.pieces().get(name));
        ResourceId id = engine.sends().nextResourceId();
        resources.put(name, id);
        return new ResourceCommand.EnrolResource(
                id, piece.kind(), name, null, piece.zone(), piece.attributes(), piece.labels());
    }

    private void take(Happening.ToLease happening) {
        switch (happening) {
            case Asked asked -> ask(asked);
            case Prolonged(_, LeaseId lease, Instant end) -> {
                if (is(lease, LeaseStatus.ACTIVE) && view(lease).period().end().isBefore(end)) {
                    send(
                            new LeaseCommand.ChangeLease(lease, null, null, end, null, List.of()),
                            byOwner(lease));
                }
            }
            case GivenBack(_, LeaseId lease) -> {
                if (is(lease, LeaseStatus.ACTIVE)) {
                    send(new LeaseCommand.EndLease(lease, EndCause.REQUESTED), byOwner(lease));
                }
            }
            case Cancelled(_, LeaseId lease) -> {
                if (is(lease, LeaseStatus.PENDING)) {
                    send(new LeaseCommand.DeleteLease(lease), byOwner(lease));
                }
            }
            case NoShow(_, LeaseId lease) -> {
                if (is(lease, LeaseStatus.ACTIVE)) {
                    send(
                            new LeaseCommand.EndLease(lease, EndCause.REQUESTED),
                            operator("nobody came"));
                }
            }
            case Seen(_, LeaseId lease, int servers) -> {
                if (is(lease, LeaseStatus.ACTIVE)) {
                    look(lease, servers);
                }
            }
            case Mended(_, LeaseId lease) -> {
                if (is(lease, LeaseStatus.ERROR)) {
                    view(lease).reservations().forEach(r -> engine.cloud().mend(r.id()));
                    send(new LeaseCommand.RetryLease(lease), operator("the host answers again"));
                }
            }
        }
    }

    private void look(LeaseId lease, int servers) {
        ProjectId project = new ProjectId(Objects.requireNonNull(projects.get(lease)).id());
        for (ReservationView reservation : view(lease).reservations()) {
            if (!reservation.kind().equals(ResourceKind.PHYSICAL_HOST)) {
                continue;
            }
            for (Allocation host : reservation.allocations()) {
                engine.sends()
                        .send(
                                new UseObserved(
                                        lease,
                                        project,
                                        reservation.id(),
                                        host.resource(),
                                        servers,
                                        servers * VCPUS_OF_A_SERVER),
                                byItself());
            }
        }
    }

    private boolean is(LeaseId lease, LeaseStatus status) {
        return engine.leases().find(lease, null).filter(v -> v.status() == status).isPresent();
    }

    private LeaseView view(LeaseId lease) {
        return engine.leases().find(lease, null).orElseThrow();
    }

    private void ask(Asked asked) {
        projects.put(asked.lease(), asked.project());
        users.put(asked.lease(), asked.user());
        List<ReservationWish> wishes = new ArrayList<>();
        for (Wish wish : asked.wishes()) {
            ReservationId id = new ReservationId(draw.uuid());
            wishes.add(new ReservationWish(id, wish.kind(), wish.parameters()));
        }
        engine.cloud().plan(wishes.getFirst().id(), asked.trouble());
        boolean isLong =
                Duration.between(asked.start(), asked.end()).compareTo(ANNOUNCED.multipliedBy(2))
                        >= 0;
        send(
                new LeaseCommand.CreateLease(
                        asked.lease(),
                        new ProjectId(asked.project().id()),
                        new UserId(asked.user()),
                        asked.name(),
                        asked.start(),
                        asked.end(),
                        isLong ? asked.end().minus(ANNOUNCED) : null,
                        wishes),
                byOwner(asked.lease()));
    }

    /** Sends a command, which must not be rejected. */
    private void send(LeaseCommand command, CommandContext context) {
        Commands commands = engine.sends();
        if (commands.send(command, context) instanceof Outcome.Rejected<LeaseRejection> rejected) {
            throw new IllegalStateException("%s: %s".formatted(command, rejected));
        }
    }

    private CommandContext byOwner(LeaseId lease) {
        return by(
                Objects.requireNonNull(users.get(lease)),
                Objects.requireNonNull(projects.get(lease)).id(),
                "member",
                null);
    }

    private CommandContext operator(@Nullable String reason) {
        return by("admin", "admin", "admin", reason);
    }

    private CommandContext byItself() {
        return CommandContext.engine(engine.now(), request(), null);
    }

    private CommandContext by(String user, String project, String role, @Nullable String reason) {
        return new CommandContext(
                engine.now(),
                request(),
                user,
                project,
                List.of(role),
                "basic",
                null,
                reason,
                null,
                null);
    }

    private String request() {
        return "req-" + draw.uuid();
    }
}
