package org.leasehold.runtime.moving;

import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.Outage;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceCommand.ReportOutage;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.lease.LeasePast.Stage;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.vocabulary.LeaseId;

import java.time.Clock;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Carries out an {@link ImportPlan}, command by command. Each command is atomic, and existing rows
 * stay unchanged: you can repeat an interrupted import, and it continues.
 */
public final class ImportExecution {

    private static final String REASON = "Moved in from Blazar";

    /** The number of leases between two reports of progress. */
    private static final int PROGRESS_INTERVAL = 1_000;

    private final Commands commands;
    private final Resources resources;
    private final Leases leases;
    private final Clock clock;
    private final String requestId = "req-" + UUID.randomUUID();

    public ImportExecution(Commands commands, Resources resources, Leases leases, Clock clock) {
        this.commands = commands;
        this.resources = resources;
        this.leases = leases;
        this.clock = clock;
    }

    /**
     * Adds the obstacles of this engine to a plan.
     *
     * @return how many of its leases already exist here
     */
    int check(ImportPlan plan, EngineDatabase.Traces traces) {
        traces.nodes()
                .forEach(
                        node ->
                                plan.addObstacle(
                                        "node " + node,
                                        "works: it would start and end what has come before all"
                                                + " has"));
        checkResources(plan, traces.retired());
        return checkLeases(plan, traces.imported());
    }

    private void checkResources(ImportPlan plan, Set<ResourceId> retired) {
        Here here = loadResources();
        for (ImportPlan.Newcomer newcomer : plan.resources()) {
            if (newcomer.keepsId()) {
                ResourceId id = newcomer.enrolment().resourceId();
                here.find(newcomer)
                        .filter(there -> !there.id().equals(id))
                        .ifPresent(
                                there ->
                                        plan.addObstacle(
                                                key(newcomer),
                                                "is enrolled already, under the id " + there.id()));
                here.find(id)
                        .filter(there -> !key(there).equals(key(newcomer)))
                        .ifPresent(
                                there ->
                                        plan.addObstacle(
                                                key(newcomer),
                                                "its id %s is that of %s"
                                                        .formatted(id, key(there))));
                if (retired.contains(id)) {
                    plan.addObstacle(
                            key(newcomer), "its id %s was given up here for good".formatted(id));
                }
            }
        }
    }

    private int checkLeases(ImportPlan plan, Set<LeaseId> imported) {
        int known = 0;
        for (ImportableLease lease : plan.leases()) {
            Optional<ComparedLease> here = leases.find(lease.id(), null).map(ComparedLease::of);
            known += here.isPresent() ? 1 : 0;
            ComparedLease would = ComparedLease.of(lease);
            here.filter(existing -> !existing.equals(would))
                    .ifPresent(
                            existing ->
                                    plan.addObstacle(
                                            lease.toString(),
                                            "is here as %s, and there as %s"
                                                    .formatted(existing, would)));
            if (here.isEmpty()
                    && imported.contains(lease.id())
                    && lease.past().stage() != Stage.ENDED) {
                plan.addObstacle(lease.toString(), "has come, and was deleted here");
            }
        }
        Set<LeaseId> gone = new HashSet<>(imported);
        plan.leases().forEach(lease -> gone.remove(lease.id()));
        leases.findUnfinished(gone)
                .forEach(id -> plan.addObstacle("lease " + id, "has come, and would not now"));
        return known;
    }

    /**
     * Carries out a plan.
     *
     * @param out takes the failures and the progress
     * @return how many resources and leases were not imported
     */
    int execute(ImportPlan plan, Consumer<String> out) {
        AtomicInteger failures = new AtomicInteger();
        Consumer<ImportMessage> fail =
                failure -> {
                    failures.incrementAndGet();
                    out.accept("Did not come: " + failure);
                };
        Here before = loadResources();
        for (ImportPlan.Newcomer newcomer : plan.resources()) {
            if (before.find(newcomer).isEmpty()) {
                send(withId(newcomer)).ifPresent(why -> fail.accept(failureMessage(newcomer, why)));
            }
        }
        plan.hidden().stream().filter(property -> !isHidden(property)).forEach(this::send);
        Here here = loadResources();
        int done = 0;
        for (ImportableLease lease : sortHoldersFirst(plan.leases())) {
            if (leases.find(lease.id(), null).isEmpty()) {
                importLease(lease, here)
                        .ifPresent(why -> fail.accept(new ImportMessage(lease.toString(), why)));
            }
            if (++done % PROGRESS_INTERVAL == 0) {
                out.accept("%s of %s leases are done.".formatted(done, plan.leases().size()));
            }
        }
        // Last, so that the report names affected leases. It leaves out resources that changed here
        // after their enrolment; an enrolment by an interrupted run is no such change.
        for (ImportPlan.Newcomer newcomer : plan.resources()) {
            if (!newcomer.reservable()) {
                here.find(newcomer)
                        .filter(there -> there.updatedAt() == null)
                        .flatMap(there -> send(outage(there)))
                        .ifPresent(why -> fail.accept(failureMessage(newcomer, why)));
            }
        }
        return failures.get();
    }

    /** Names the lease of an error, which the next run repeats: an operator can leave it behind. */
    private Optional<String> importLease(ImportableLease lease, Here here) {
        try {
            return send(lease, here);
        } catch (RuntimeException broken) {
            throw new IllegalStateException(lease + " stops the import", broken);
        }
    }

    /** Sorts leases that have resources before leases that only wait for them. */
    private static List<ImportableLease> sortHoldersFirst(List<ImportableLease> leases) {
        return leases.stream()
                .sorted(Comparator.comparing(lease -> lease.past().stage() == Stage.PENDING))
                .toList();
    }

    /** Returns the outage that Blazar's monitor found; this engine may end it later. */
    private static ReportOutage outage(ResourceView resource) {
        return new ReportOutage(resource.id(), Outage.closed("it was not reservable in Blazar"));
    }

    private Here loadResources() {
        List<ResourceView> all = resources.list(null);
        return new Here(
                all.stream().collect(Collectors.toMap(ImportExecution::key, Function.identity())),
                all.stream().collect(Collectors.toMap(ResourceView::id, Function.identity())));
    }

    /** The enrolled resources. */
    private record Here(Map<String, ResourceView> byName, Map<ResourceId, ResourceView> byId) {

        Optional<ResourceView> find(ImportPlan.Newcomer newcomer) {
            return Optional.ofNullable(byName.get(key(newcomer)));
        }

        Optional<ResourceView> find(ResourceId id) {
            return Optional.ofNullable(byId.get(id));
        }

        /** Returns the ids of a reservation's resources that exist here, by name. */
        Map<String, ResourceId> ids(ImportableLease.ImportableReservation reservation) {
            Map<String, ResourceId> ids = new TreeMap<>();
            for (String name : reservation.slots().keySet()) {
                ResourceView there = byName.get(key(reservation.demand().kind(), name));
                if (there != null) {
                    ids.put(name, there.id());
                }
            }
            return ids;
        }

        Optional<String> findMissingResource(ImportableLease lease) {
            return lease.reservations().stream()
                    .flatMap(
                            reservation ->
                                    reservation.slots().keySet().stream()
                                            .filter(name -> !ids(reservation).containsKey(name))
                                            .map(name -> key(reservation.demand().kind(), name)))
                    .findFirst();
        }
    }

    private static String key(ResourceKind kind, String name) {
        return kind + " " + name;
    }

    private static String key(ResourceView resource) {
        return key(resource.kind(), resource.name());
    }

    private static String key(ImportPlan.Newcomer newcomer) {
        return key(newcomer.kind(), newcomer.name());
    }

    private static ImportMessage failureMessage(ImportPlan.Newcomer newcomer, String why) {
        return new ImportMessage(key(newcomer), why);
    }

    private EnrolResource withId(ImportPlan.Newcomer newcomer) {
        EnrolResource enrolment = newcomer.enrolment();
        return newcomer.keepsId()
                ? enrolment
                : new EnrolResource(
                        commands.nextResourceId(),
                        enrolment.kind(),
                        enrolment.name(),
                        enrolment.region(),
                        enrolment.zone(),
                        enrolment.attributes(),
                        enrolment.capabilities());
    }

    private boolean isHidden(PropertyVisibility property) {
        return resources.hiddenProperties(property.kind()).contains(property.property());
    }

    private void send(PropertyVisibility property) {
        commands.send(property, context());
    }

    /** Returns the reason of a rejection; empty for success. */
    private Optional<String> send(ResourceCommand command) {
        return commands.send(command, context())
                        instanceof Outcome.Rejected<ResourceRejection>(ResourceRejection rejection)
                ? Optional.of(rejection.toString())
                : Optional.empty();
    }

    private Optional<String> send(ImportableLease lease, Here here) {
        Optional<String> lacking = here.findMissingResource(lease);
        if (lacking.isPresent()) {
            return lacking.map(name -> "has %s, which did not come".formatted(name));
        }
        return switch (commands.send(lease.command(here::ids), context())) {
            case Outcome.Accepted<LeaseRejection> _ -> Optional.empty();
            case Outcome.Refused<LeaseRejection> refused ->
                    Optional.of(refused.shortages().toString());
            // It was imported before, and has been deleted since.
            case Outcome.Rejected<LeaseRejection>(LeaseRejection.LeaseExists _) -> Optional.empty();
            case Outcome.Rejected<LeaseRejection>(LeaseRejection.NotFree(_, String reason)) ->
                    Optional.of(reason);
            case Outcome.Rejected<LeaseRejection>(LeaseRejection rejection) ->
                    Optional.of(rejection.toString());
        };
    }

    private CommandContext context() {
        return CommandContext.ofEngine(clock.instant(), requestId, null).withReason(REASON);
    }
}
