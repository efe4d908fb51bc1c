package org.leasehold.runtime.moving;

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
import java.util.Optional;
import java.util.TreeMap;
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
        Here here = here();
        for (Plan.Newcomer newcomer : plan.resources()) {
            if (newcomer.keepsId()) {
                ResourceId id = newcomer.enrolment().resourceId();
                here.find(newcomer)
                        .filter(there -> !there.id().equals(id))
                        .ifPresent(
                                there ->
                                        plan.isObstructed(
                                                key(newcomer),
                                                "is enrolled already, under the id " + there.id()));
                here.find(id)
                        .filter(there -> !key(there).equals(key(newcomer)))
                        .ifPresent(
                                there ->
                                        plan.isObstructed(
                                                key(newcomer),
                                                "its id %s is that of %s"
                                                        .formatted(id, key(there))));
            }
        }
    }

    /**
     * Carries it out.
     *
     * @return what did not come
     */
    List<Note> carryOut(Plan plan) {
        List<Note> failures = new ArrayList<>();
        Here before = here();
        for (Plan.Newcomer newcomer : plan.resources()) {
            if (before.find(newcomer).isEmpty()) {
                send(numbered(newcomer)).ifPresent(why -> failures.add(note(newcomer, why)));
            }
        }
        plan.hidden().stream().filter(property -> !isHidden(property)).forEach(this::send);
        Here here = here();
        for (Arrival lease : plan.leases()) {
            if (leases.find(lease.id(), null).isEmpty()) {
                send(lease, here).ifPresent(why -> failures.add(new Note(lease.toString(), why)));
            }
        }
        // Last, so that it says which leases count on it; and once: who looks at the cloud here
        // knows
        // better by now.
        plan.resources().stream()
                .filter(newcomer -> !newcomer.reservable() && before.find(newcomer).isEmpty())
                .forEach(
                        newcomer ->
                                here.find(newcomer)
                                        .flatMap(there -> send(outage(there)))
                                        .ifPresent(why -> failures.add(note(newcomer, why))));
        return failures;
    }

    /** Blazar's monitor has said so, and whoever looks at the cloud here may take it back. */
    private static ReportOutage outage(ResourceView resource) {
        return new ReportOutage(resource.id(), "it was not reservable in Blazar");
    }

    private Here here() {
        List<ResourceView> all = resources.list(null);
        return new Here(
                all.stream().collect(Collectors.toMap(MovingIn::key, Function.identity())),
                all.stream().collect(Collectors.toMap(ResourceView::id, Function.identity())));
    }

    /** What is enrolled. */
    private record Here(Map<String, ResourceView> byName, Map<ResourceId, ResourceView> byId) {

        Optional<ResourceView> find(Plan.Newcomer newcomer) {
            return Optional.ofNullable(byName.get(key(newcomer)));
        }

        Optional<ResourceView> find(ResourceId id) {
            return Optional.ofNullable(byId.get(id));
        }

        /** The resources of a place, by name. */
        Map<String, ResourceId> ids(Arrival.Place place) {
            Map<String, ResourceId> ids = new TreeMap<>();
            for (String name : place.slots().keySet()) {
                ResourceView there = byName.get(key(place.demand().kind(), name));
                if (there != null) {
                    ids.put(name, there.id());
                }
            }
            return ids;
        }
    }

    private static String key(ResourceKind kind, String name) {
        return kind + " " + name;
    }

    private static String key(ResourceView resource) {
        return key(resource.kind(), resource.name());
    }

    private static String key(Plan.Newcomer newcomer) {
        return key(newcomer.kind(), newcomer.name());
    }

    private static Note note(Plan.Newcomer newcomer, String why) {
        return new Note(key(newcomer), why);
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

    private boolean isHidden(PropertyVisibility property) {
        return resources.hiddenProperties(property.kind()).contains(property.property());
    }

    private void send(PropertyVisibility property) {
        commands.send(property, context());
    }

    /** Why it was not done; empty if it was. */
    private Optional<String> send(ResourceCommand command) {
        return commands.send(command, context())
                        instanceof Outcome.Rejected<ResourceRejection>(ResourceRejection rejection)
                ? Optional.of(rejection.toString())
                : Optional.empty();
    }

    private Optional<String> send(Arrival lease, Here here) {
        return switch (commands.send(lease.command(here::ids), context())) {
            case Outcome.Accepted<LeaseRejection> _ -> Optional.empty();
            case Outcome.Refused<LeaseRejection> refused ->
                    Optional.of(refused.shortages().toString());
            // It came before, and was deleted since.
            case Outcome.Rejected<LeaseRejection>(LeaseRejection.LeaseExists _) -> Optional.empty();
            case Outcome.Rejected<LeaseRejection>(LeaseRejection.NotFree(_, String reason)) ->
                    Optional.of(reason);
            case Outcome.Rejected<LeaseRejection>(LeaseRejection rejection) ->
                    Optional.of(rejection.toString());
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
}
