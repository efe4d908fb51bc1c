package org.leasehold.gateway.api.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.completion.TimedRequestCompleter;
import org.leasehold.gateway.request.error.NearNames;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.FilterPropertyValidator;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.resource.KindDescription;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.RequestCompleter.Asker;
import org.leasehold.resource.RequestCompleter.Completion;
import org.leasehold.resource.ResourcePlugin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** The kinds of resources, as requests name them. */
public final class PluginFacade {

    private final Plugins plugins;
    private final FilterPropertyValidator filterNames;
    private final TimedRequestCompleter requestCompleter;

    public PluginFacade(
            Plugins plugins,
            FilterPropertyValidator filterNames,
            TimedRequestCompleter completions) {
        this.plugins = plugins;
        this.filterNames = filterNames;
        this.requestCompleter = completions;
    }

    /** A request in the form that the cloud and the calendar use. */
    public record Wish(Map<String, @Nullable Object> parameters, List<Demand> demands) {}

    public SortedSet<String> kindNames() {
        return plugins.kinds();
    }

    /** Returns the description of a kind; empty for an unknown one. */
    Optional<KindDescription> description(String kind) {
        return kind.isBlank()
                ? Optional.empty()
                : plugins.find(new ResourceKind(kind))
                        .map(plugin -> plugin.planning().description());
    }

    /**
     * Returns the plug-in of a requested kind.
     *
     * @param field its path in the request
     */
    ResourcePlugin plugin(String field, String kind) {
        return kind.isBlank()
                ? rejectUnknownKind(field, kind)
                : plugins.find(new ResourceKind(kind))
                        .orElseGet(() -> rejectUnknownKind(field, kind));
    }

    public ResourceKind kind(String field, String kind) {
        return plugin(field, kind).kind();
    }

    /**
     * Completes a request for a new reservation, and returns its demands of the calendar. A
     * plug-in's schema names all parameters. Without a schema, it completes those that it knows, so
     * it does not know the others.
     *
     * @param at the path of the kind and its parameters: empty, or ends with a dot
     */
    public Wish completeReservation(
            String at,
            String kind,
            Map<String, @Nullable Object> parameters,
            Caller caller,
            Asker asker) {
        String field = at + "parameters.";
        ResourcePlugin plugin = plugin(at + "kind", kind);
        KindDescription description = plugin.planning().description();
        if (description.hasSchema()) {
            // First, because another error may only follow from a misspelt name.
            requireKnown(field, plugin.kind(), parameters.keySet(), description.parameterNames());
        }
        requireKnownNames(field, caller, plugin.kind(), parameters, Map.of());
        Map<String, @Nullable Object> complete =
                complete(
                        field,
                        plugin.kind(),
                        withDefaults(plugin, IntegerNormalization.normalize(parameters)),
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
     * Completes the changes of a reservation.
     *
     * @param at the path of the parameters in the request; ends with a dot
     */
    public Map<String, @Nullable Object> completeChanges(
            String at,
            ReservationView present,
            Map<String, @Nullable Object> parameters,
            Caller caller,
            Asker asker) {
        Optional<KindDescription> description = description(present.kind().value());
        Set<String> known = new TreeSet<>(present.parameters().keySet());
        description.ifPresent(each -> known.addAll(each.parameterNames()));
        requireKnown(at, present.kind(), parameters.keySet(), known);
        description.ifPresent(
                each -> requireChangeable(at, each, present.parameters(), parameters));
        requireKnownNames(at, caller, present.kind(), parameters, present.parameters());
        return complete(
                at,
                present.kind(),
                IntegerNormalization.normalize(parameters),
                present.parameters(),
                asker);
    }

    /** Rejects another value of a parameter that cannot change. The present value is accepted. */
    private static void requireChangeable(
            String at,
            KindDescription description,
            Map<String, @Nullable Object> present,
            Map<String, @Nullable Object> asked) {
        IntegerNormalization.normalize(asked)
                .forEach(
                        (name, value) -> {
                            if (!description.canChange(name)
                                    && !Objects.equals(value, present.get(name))) {
                                throw invalid(at + name, "cannot be changed");
                            }
                        });
    }

    private Map<String, @Nullable Object> complete(
            String at,
            ResourceKind kind,
            Map<String, @Nullable Object> asked,
            Map<String, @Nullable Object> present,
            Asker asker) {
        return switch (requestCompleter.complete(kind, asked, present, asker)) {
            case Completion.Complete(var parameters) -> parameters;
            case Completion.NotFound missing ->
                    throw invalid(at + missing.field(), missing.message());
            case Completion.Refused refused ->
                    throw invalid(at + refused.field(), refused.message());
            case Completion.Unknown unknown ->
                    throw new ProblemException(ResourceProblems.of(unknown.fault().forHolder()));
        };
    }

    /** Adds defaults; a parameter without a value counts as left out. */
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
                .findUnknownProperty(caller, kind, asked, present)
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
        Set<String> known = new TreeSet<>(understood);
        known.removeAll(requestCompleter.cloudOnlyParameters(kind));
        for (String name : asked) {
            if (!known.contains(name)) {
                throw new ProblemException(
                        Problem.ofField(
                                at + name, "is unknown" + NearNames.suggestion(name, known)));
            }
        }
    }

    private ResourcePlugin rejectUnknownKind(String field, String kind) {
        throw new ProblemException(
                Problem.of(
                                400,
                                "unknown-kind",
                                "There is no kind %s; there are %s.".formatted(kind, kindNames()))
                        .with(field, "is not one of " + kindNames()));
    }
}
