package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.gateway.api.LeaseForms.NewReservation;
import org.leasehold.gateway.completion.Completions;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.FilterNames;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.query.ReservationView;
import org.leasehold.resource.Completing.Asker;
import org.leasehold.resource.Completing.Completion;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.stack.HiddenParameters;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;

/** The kinds of resources that there are, as requests name them. */
final class Kinds {

    private final Plugins plugins;
    private final FilterNames filterNames;
    private final Completions completions;

    Kinds(Plugins plugins, FilterNames filterNames, Completions completions) {
        this.plugins = plugins;
        this.filterNames = filterNames;
        this.completions = completions;
    }

    /** A wish as the cloud and the calendar understand it. */
    record Wish(Map<String, @Nullable Object> parameters, List<Demand> demands) {}

    SortedSet<String> names() {
        return plugins.kinds();
    }

    /**
     * The plugin of a kind that was asked for.
     *
     * @param field where in the request
     */
    ResourcePlugin plugin(String field, String kind) {
        return kind.isBlank()
                ? unknown(field, kind)
                : plugins.find(new ResourceKind(kind)).orElseGet(() -> unknown(field, kind));
    }

    ResourceKind kind(String field, String kind) {
        return plugin(field, kind).kind();
    }

    /**
     * A wish for a new reservation, complete, and what it demands of the calendar. A plugin
     * completes the parameters that it understands, so one that it does not complete means nothing
     * to it: most likely it is misspelt.
     *
     * @param at where the kind and its parameters are in the request: empty, or ends with a dot
     */
    Wish wish(
            String at,
            String kind,
            Map<String, @Nullable Object> parameters,
            Caller caller,
            Asker asker) {
        String field = at + "parameters.";
        ResourcePlugin plugin = plugin(at + "kind", kind);
        requireKnownNames(field, caller, plugin.kind(), parameters, Map.of());
        Map<String, @Nullable Object> complete =
                complete(
                        field,
                        plugin.kind(),
                        withDefaults(plugin, Numbers.whole(parameters)),
                        Map.of(),
                        asker);
        return switch (plugin.planning().plan(complete)) {
            case Plan.Planned planned -> {
                requireKnown(
                        field, plugin.kind(), parameters.keySet(), planned.parameters().keySet());
                yield new Wish(complete, planned.demands());
            }
            case Plan.Invalid invalid -> throw invalid(field + invalid.field(), invalid.message());
        };
    }

    /**
     * The wishes of a request, complete.
     *
     * @param field where in the request they are
     */
    List<NewReservation> complete(
            String field, List<NewReservation> wishes, Caller caller, Asker asker) {
        List<NewReservation> complete = new ArrayList<>();
        for (int i = 0; i < wishes.size(); i++) {
            NewReservation asked = wishes.get(i);
            Wish understood =
                    wish(
                            "%s[%s].".formatted(field, i),
                            asked.kind(),
                            asked.givenParameters(),
                            caller,
                            asker);
            complete.add(new NewReservation(asked.kind(), understood.parameters()));
        }
        return complete;
    }

    /**
     * What is to change of a reservation, complete.
     *
     * @param at where the parameters are in the request; ends with a dot
     */
    Map<String, @Nullable Object> changes(
            String at,
            ReservationView present,
            Map<String, @Nullable Object> parameters,
            Caller caller,
            Asker asker) {
        // What its plugin has not completed at its creation, it does not understand.
        requireKnown(at, present.kind(), parameters.keySet(), present.parameters().keySet());
        requireKnownNames(at, caller, present.kind(), parameters, present.parameters());
        return complete(at, present.kind(), Numbers.whole(parameters), present.parameters(), asker);
    }

    /** What may be told of parameters; of which kind they are an event does not always say. */
    Map<String, @Nullable Object> told(Map<String, @Nullable Object> parameters) {
        // Also where stacks are switched off by now: what was said before is no less hidden.
        Map<String, @Nullable Object> told = HiddenParameters.masked(parameters);
        for (String kind : plugins.kinds()) {
            told = plugin("kind", kind).planning().told(told);
        }
        return told;
    }

    /** What a reservation is made of. */
    List<Planning.Nested> nested(ReservationView view) {
        return plugins.nested(
                new ReservationWish(view.id(), view.kind(), view.parameters()), view.cloudIds());
    }

    private Map<String, @Nullable Object> complete(
            String at,
            ResourceKind kind,
            Map<String, @Nullable Object> asked,
            Map<String, @Nullable Object> present,
            Asker asker) {
        return switch (completions.complete(kind, asked, present, asker)) {
            case Completion.Complete(var parameters) -> parameters;
            case Completion.NotFound missing ->
                    throw invalid(at + missing.field(), missing.message());
            case Completion.Refused refused ->
                    throw invalid(at + refused.field(), refused.message());
            case Completion.Unknown unknown ->
                    throw new ProblemException(ResourceProblems.of(unknown.fault().forHolder()));
        };
    }

    /** Without a value a parameter is as good as left out. */
    private static Map<String, @Nullable Object> withDefaults(
            ResourcePlugin plugin, Map<String, @Nullable Object> parameters) {
        Map<String, @Nullable Object> given = new LinkedHashMap<>(parameters);
        plugin.planning().defaults().forEach(given::putIfAbsent);
        return given;
    }

    private void requireKnownNames(
            String at,
            Caller caller,
            ResourceKind kind,
            Map<String, @Nullable Object> asked,
            Map<String, @Nullable Object> present) {
        filterNames
                .firstMisnamed(caller, kind, asked, present)
                .ifPresent(
                        misnamed -> {
                            throw invalid(at + misnamed.field(), misnamed.message());
                        });
    }

    private static ProblemException invalid(String field, String message) {
        return new ProblemException(
                Problem.of(400, "invalid-reservation", field + ": " + message)
                        .with(field, message));
    }

    private void requireKnown(
            String at, ResourceKind kind, Set<String> asked, Set<String> understood) {
        Set<String> added = completions.added(kind);
        for (String name : asked) {
            if (!understood.contains(name) || added.contains(name)) {
                throw new ProblemException(Problem.ofField(at + name, "is unknown"));
            }
        }
    }

    private ResourcePlugin unknown(String field, String kind) {
        throw new ProblemException(
                Problem.of(
                                400,
                                "unknown-kind",
                                "There is no kind %s; there are %s.".formatted(kind, names()))
                        .with(field, "is not one of " + names()));
    }
}
