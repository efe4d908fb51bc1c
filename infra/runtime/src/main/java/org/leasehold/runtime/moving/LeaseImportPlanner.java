package org.leasehold.runtime.moving;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeasePast;
import org.leasehold.lease.LeasePast.OfReservation;
import org.leasehold.lease.LeasePast.OfStep;
import org.leasehold.lease.LeasePast.Stage;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Plans the import of a lease of Blazar. */
final class LeaseImportPlanner {

    private static final String START = "start_lease";
    private static final String BEFORE_END = "before_end_lease";
    private static final String END = "end_lease";

    private static final Set<String> BUSY_STATUSES =
            Set.of("CREATING", "STARTING", "UPDATING", "TERMINATING", "DELETING");

    private final ImportPlan plan;
    private final Plugins plugins;
    private final Map<String, String> hosts;
    private final Map<String, String> floatingIps;
    private final String beforeEnd;

    /**
     * Creates a planner.
     *
     * @param hosts the names of imported hosts, by Blazar's ids
     * @param floatingIps the names of imported floating IPs, likewise
     * @param beforeEnd the meaning of {@code default} in Blazar; empty for no action
     */
    LeaseImportPlanner(
            ImportPlan plan,
            Plugins plugins,
            Map<String, String> hosts,
            Map<String, String> floatingIps,
            String beforeEnd) {
        this.plan = plan;
        this.plugins = plugins;
        this.hosts = hosts;
        this.floatingIps = floatingIps;
        this.beforeEnd = beforeEnd;
    }

    static String describe(BlazarSnapshot.Lease lease) {
        return "lease %s (%s)".formatted(lease.id(), lease.name());
    }

    void add(BlazarSnapshot.Lease lease) {
        try {
            plan.add(toImportableLease(lease));
        } catch (Unfit unfit) {
            // Errors of ended leases need no correction.
            if ("TERMINATED".equals(lease.status())) {
                plan.addOmission(describe(lease), "is over, and " + unfit.getMessage());
            } else {
                plan.addObstacle(describe(lease), Objects.requireNonNull(unfit.getMessage()));
            }
        }
    }

    /** The reason why a lease cannot be imported. */
    private static final class Unfit extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Unfit(String why) {
            super(why);
        }
    }

    private ImportableLease toImportableLease(BlazarSnapshot.Lease lease) {
        @Nullable String user = lease.user();
        @Nullable String project = lease.project();
        if (user == null || user.isBlank() || project == null || project.isBlank()) {
            throw new Unfit("has no user or no project");
        }
        if (!lease.end().isAfter(lease.start())) {
            throw new Unfit("ends as it starts");
        }
        Stage stage = stage(lease);
        LeasePeriod period = new LeasePeriod(lease.start(), lease.end());
        List<ImportableLease.ImportableReservation> reservations = new ArrayList<>();
        List<OfReservation> pasts = new ArrayList<>();
        for (BlazarSnapshot.Reservation reservation : lease.reservations()) {
            OfReservation past = past(lease, stage, reservation);
            pasts.add(past);
            reservations.add(toImportable(lease, reservation, past));
        }
        reportUnknownEvents(lease);
        return new ImportableLease(
                new LeaseId(parseUuid(lease.id())),
                new ProjectId(project),
                new UserId(user),
                lease.name(),
                period,
                beforeEnd(lease, period),
                reservations,
                new LeasePast(
                        stage,
                        stage == Stage.FAILED ? "It was in error when it was taken over." : null,
                        pasts,
                        steps(lease),
                        Objects.requireNonNullElse(lease.dates().createdAt(), lease.start()),
                        lease.dates().updatedAt()));
    }

    private Stage stage(BlazarSnapshot.Lease lease) {
        String status = Objects.requireNonNullElse(lease.status(), "");
        if (BUSY_STATUSES.contains(status)) {
            throw new Unfit(
                    "is %s: wait until it is not any more, or leave it behind".formatted(status));
        }
        return switch (status) {
            case "PENDING" -> Stage.PENDING;
            case "ACTIVE" -> Stage.ACTIVE;
            case "TERMINATED" -> Stage.ENDED;
            case "ERROR" -> stageOfError(lease);
            default -> throw new Unfit("has the unknown status " + status);
        };
    }

    /** Returns the true stage: a failed change leaves a lease in error that is otherwise intact. */
    private Stage stageOfError(BlazarSnapshot.Lease lease) {
        Map<Stage, String> clean =
                Map.of(Stage.PENDING, "pending", Stage.ACTIVE, "active", Stage.ENDED, "deleted");
        Stage stage =
                switch (eventStatus(lease, START) + " " + eventStatus(lease, END)) {
                    case "UNDONE UNDONE" -> Stage.PENDING;
                    case "DONE UNDONE" -> Stage.ACTIVE;
                    case "DONE DONE" -> Stage.ENDED;
                    default -> Stage.FAILED;
                };
        if (lease.reservations().stream()
                .anyMatch(r -> !r.status().equals(clean.getOrDefault(stage, "")))) {
            return Stage.FAILED;
        }
        if (stage != Stage.FAILED) {
            plan.addChange(describe(lease), "is in error there, and %s here".formatted(stage));
        }
        return stage;
    }

    private static String eventStatus(BlazarSnapshot.Lease lease, String type) {
        return event(lease, type).map(BlazarSnapshot.Event::status).orElse("");
    }

    private static Optional<BlazarSnapshot.Event> event(BlazarSnapshot.Lease lease, String type) {
        return lease.events().stream().filter(each -> each.type().equals(type)).findFirst();
    }

    private static OfReservation past(
            BlazarSnapshot.Lease lease,
            Stage stageOfLease,
            BlazarSnapshot.Reservation reservation) {
        Stage stage =
                switch (reservation.status()) {
                    // It is unknown how far an interrupted start had come.
                    case "pending" -> stageOfLease == Stage.FAILED ? Stage.FAILED : Stage.PENDING;
                    case "active" -> Stage.ACTIVE;
                    case "error" -> Stage.FAILED;
                    case "deleted" -> Stage.ENDED;
                    default ->
                            throw new Unfit(
                                    "its reservation %s has the unknown status %s"
                                            .formatted(reservation.id(), reservation.status()));
                };
        boolean fits =
                switch (stageOfLease) {
                    case PENDING -> stage == Stage.PENDING;
                    case ENDED -> stage == Stage.ENDED;
                    case ACTIVE, FAILED -> stage != Stage.PENDING;
                };
        if (!fits) {
            throw new Unfit(
                    "is %s, and its reservation %s is %s"
                            .formatted(lease.status(), reservation.id(), reservation.status()));
        }
        return new OfReservation(
                new ReservationId(parseUuid(reservation.id())),
                stage,
                reservation.cloudIds().isEmpty() ? null : reservation.cloudIds(),
                reservation.missingResources(),
                reservation.resourcesChanged(),
                Objects.requireNonNullElse(reservation.dates().createdAt(), lease.start()),
                reservation.dates().updatedAt());
    }

    private ImportableLease.ImportableReservation toImportable(
            BlazarSnapshot.Lease lease,
            BlazarSnapshot.Reservation reservation,
            OfReservation past) {
        ResourceKind kind =
                new ResourceKind(reservation.type().isBlank() ? "unknown" : reservation.type());
        Planning planning =
                plugins.find(kind)
                        .map(ResourcePlugin::planning)
                        .orElseThrow(() -> new Unfit("no plugin is switched on for " + kind));
        @Nullable Map<String, @Nullable Object> parameters = reservation.parameters();
        if (parameters == null) {
            throw new Unfit("nothing says what its reservation " + reservation.id() + " is of");
        }
        if (kind.equals(ResourceKind.FLAVOR_INSTANCE)) {
            parameters =
                    BlazarFlavor.parameters(parameters)
                            .orElseThrow(() -> new Unfit("its flavor cannot be read"));
        }
        if (past.stage() != Stage.ENDED) {
            parameters = applyDefaultBeforeEnd(lease, reservation, parameters);
        }
        return switch (planning.plan(parameters)) {
            case Planning.Plan.Planned(var normal, var demands) when demands.size() == 1 -> {
                Map<String, Integer> slots =
                        past.stage() == Stage.ENDED ? Map.of() : slots(reservation);
                yield new ImportableLease.ImportableReservation(
                        new ReservationWish(past.id(), kind, normal), demands.getFirst(), slots);
            }
            case Planning.Plan.Planned _ ->
                    throw new Unfit(
                            "its reservation %s needs resources of several kinds"
                                    .formatted(reservation.id()));
            case Planning.Plan.Invalid(_, String message) ->
                    throw new Unfit("its reservation " + reservation.id() + ": " + message);
        };
    }

    /** Sets Blazar's default action before an end; here, the default is no action. */
    private Map<String, @Nullable Object> applyDefaultBeforeEnd(
            BlazarSnapshot.Lease lease,
            BlazarSnapshot.Reservation reservation,
            Map<String, @Nullable Object> parameters) {
        if (beforeEnd.isEmpty() || !"default".equals(parameters.get("before_end"))) {
            return parameters;
        }
        Map<String, @Nullable Object> meant = new LinkedHashMap<>(parameters);
        meant.put("before_end", beforeEnd);
        plan.addChange(
                describe(lease),
                "its reservation %s has before_end %s, which is the default there"
                        .formatted(reservation.id(), beforeEnd));
        return meant;
    }

    private Map<String, Integer> slots(BlazarSnapshot.Reservation reservation) {
        Map<String, Integer> slots = new LinkedHashMap<>();
        countSlots(reservation.hosts(), hosts, slots);
        countSlots(reservation.floatingIps(), floatingIps, slots);
        if (slots.isEmpty()) {
            throw new Unfit("its reservation " + reservation.id() + " has nothing");
        }
        return slots;
    }

    private static void countSlots(
            List<String> ids, Map<String, String> names, Map<String, Integer> slots) {
        for (String id : ids) {
            @Nullable String name = names.get(id);
            if (name == null) {
                throw new Unfit("has the resource " + id + ", which does not come");
            }
            slots.merge(name, 1, Integer::sum);
        }
    }

    private @Nullable Instant beforeEnd(BlazarSnapshot.Lease lease, LeasePeriod period) {
        @Nullable Instant time =
                event(lease, BEFORE_END).map(BlazarSnapshot.Event::time).orElse(null);
        if (time != null && !period.contains(time)) {
            plan.addOmission(
                    describe(lease), "its announcement at %s, outside of it".formatted(time));
            return null;
        }
        return time;
    }

    private static List<OfStep> steps(BlazarSnapshot.Lease lease) {
        List<OfStep> steps = new ArrayList<>();
        Map.of(START, OfStep.Step.START, BEFORE_END, OfStep.Step.BEFORE_END, END, OfStep.Step.END)
                .forEach(
                        (type, step) ->
                                event(lease, type)
                                        .ifPresent(event -> steps.add(step(lease, event, step))));
        steps.sort((one, other) -> one.step().compareTo(other.step()));
        return steps;
    }

    private static OfStep step(
            BlazarSnapshot.Lease lease, BlazarSnapshot.Event event, OfStep.Step step) {
        OfStep.Status status =
                switch (event.status()) {
                    case "UNDONE" -> OfStep.Status.UNDONE;
                    case "DONE" -> OfStep.Status.DONE;
                    default -> OfStep.Status.ERROR;
                };
        return new OfStep(
                step,
                parseUuid(event.id()),
                status,
                Objects.requireNonNullElse(event.dates().createdAt(), lease.start()),
                event.dates().updatedAt());
    }

    private void reportUnknownEvents(BlazarSnapshot.Lease lease) {
        lease.events().stream()
                .filter(event -> !Set.of(START, BEFORE_END, END).contains(event.type()))
                .forEach(
                        event ->
                                plan.addOmission(
                                        describe(lease),
                                        "its event %s at %s"
                                                .formatted(event.type(), event.time())));
    }

    private static UUID parseUuid(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException noUuid) {
            throw new Unfit("has an id that is none: " + text);
        }
    }
}
