package org.leasehold.runtime.moving;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceCommand.ReportOutage;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.query.Leases;
import org.leasehold.query.ResourceView;
import org.leasehold.query.Resources;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Carries a {@link Plan} out, command by command. Each is all or nothing, and what is there already
 * is left alone: whoever was cut off begins again and goes on.
 */
public final class MovingIn {

    private static final String REASON = "Moved in from Blazar";

    private final Commands commands;
    private final Resources resources;
    private final Leases leases;
    private final Clock clock;
    private final String request = "req-" + UUID.randomUUID();

    public MovingIn(Commands commands, Resources resources, Leases leases, Clock clock) {
        this.commands = commands;
        this.resources = resources;
        this.leases = leases;
        this.clock = clock;
    }

    /** Adds to a plan what stands in its way here. */
    void check(Plan plan) {
        for (Plan.Newcomer newcomer : plan.resources()) {
            if (newcomer.keepsId()) {
                ResourceId id = newcomer.enrolment().resourceId();
                find(newcomer)
                        .filter(there -> !there.id().equals(id))
                        .ifPresent(
                                there ->
                                        plan.isObstructed(
                                                called(newcomer),
                                                "is enrolled already, under the id " + there.id()));
                resources
                        .find(id)
                        .filter(there -> !isIt(there, newcomer))
                        .ifPresent(
                                there ->
                                        plan.isObstructed(
                                                called(newcomer),
                                                "its id %s is that of %s %s"
                                                        .formatted(
                                                                id, there.kind(), there.name())));
            }
        }
    }

    /**
     * Carries it out.
     *
     * @return what did not come
     */
    List<Note> carryOut(Plan plan) {
        Failures failures = new Failures();
        for (Plan.Newcomer newcomer : plan.resources()) {
            if (find(newcomer).isEmpty()) {
                failures.note(called(newcomer), send(numbered(newcomer)));
            }
        }
        plan.hidden().stream().filter(property -> !isHidden(property)).forEach(this::send);
        Map<ResourceKind, Map<String, ResourceId>> ids =
                resources.list(null).stream()
                        .collect(
                                Collectors.groupingBy(
                                        ResourceView::kind,
                                        Collectors.toMap(ResourceView::name, ResourceView::id)));
        Function<Arrival.Place, Map<String, ResourceId>> find =
                place -> ids.getOrDefault(place.demand().kind(), Map.of());
        for (Arrival lease : plan.leases()) {
            if (leases.find(lease.id(), null).isEmpty()) {
                failures.note(lease.toString(), send(lease, find));
            }
        }
        // Last: what is out of service then, its leases hear of.
        for (Plan.Newcomer newcomer : plan.resources()) {
            if (!newcomer.reservable()) {
                find(newcomer)
                        .ifPresent(
                                there ->
                                        failures.note(
                                                called(newcomer),
                                                send(
                                                        new ReportOutage(
                                                                there.id(),
                                                                "it was not reservable in"
                                                                        + " Blazar"))));
            }
        }
        return failures.all();
    }

    private EnrolResource numbered(Plan.Newcomer newcomer) {
        EnrolResource its = newcomer.enrolment();
        return newcomer.keepsId()
                ? its
                : new EnrolResource(
                        commands.nextResourceId(),
                        its.kind(),
                        its.name(),
                        its.region(),
                        its.zone(),
                        its.attributes(),
                        its.capabilities());
    }

    private Optional<ResourceView> find(Plan.Newcomer newcomer) {
        return resources.list(newcomer.kind()).stream()
                .filter(there -> there.name().equals(newcomer.name()))
                .findFirst();
    }

    private static boolean isIt(ResourceView there, Plan.Newcomer newcomer) {
        return there.kind().equals(newcomer.kind()) && there.name().equals(newcomer.name());
    }

    private boolean isHidden(PropertyVisibility property) {
        return resources.hiddenProperties(property.kind()).contains(property.property());
    }

    private void send(PropertyVisibility property) {
        commands.send(property, context());
    }

    /** Why it was not done; null if it was. */
    private @Nullable Object send(ResourceCommand command) {
        return commands.send(command, context())
                        instanceof Outcome.Rejected<ResourceRejection>(ResourceRejection rejection)
                ? rejection
                : null;
    }

    private @Nullable Object send(
            Arrival lease, Function<Arrival.Place, Map<String, ResourceId>> ids) {
        return switch (commands.send(lease.command(ids), context())) {
            case Outcome.Accepted<LeaseRejection> _ -> null;
            case Outcome.Refused<LeaseRejection> refused -> refused.shortages();
            // It came before, and was deleted since.
            case Outcome.Rejected<LeaseRejection>(LeaseRejection.LeaseExists _) -> null;
            case Outcome.Rejected<LeaseRejection>(LeaseRejection.NotFree(_, String reason)) ->
                    reason;
            case Outcome.Rejected<LeaseRejection>(LeaseRejection rejection) -> rejection;
        };
    }

    private CommandContext context() {
        return new CommandContext(
                clock.instant(),
                request,
                null,
                null,
                List.of(),
                "engine",
                null,
                REASON,
                null,
                null);
    }

    private static String called(Plan.Newcomer newcomer) {
        return "%s %s".formatted(newcomer.kind(), newcomer.name());
    }

    private static final class Failures {

        private final List<Note> notes = new ArrayList<>();

        void note(String about, @Nullable Object why) {
            if (why != null) {
                notes.add(new Note(about, Objects.toString(why)));
            }
        }

        List<Note> all() {
            return List.copyOf(notes);
        }
    }
}
