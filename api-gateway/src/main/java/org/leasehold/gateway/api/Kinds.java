package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;

import java.util.Map;
import java.util.Set;
import java.util.SortedSet;

/** The kinds of resources that there are, as requests name them. */
final class Kinds {

    private final Plugins plugins;

    Kinds(Plugins plugins) {
        this.plugins = plugins;
    }

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
     * What a wish demands of the calendar. A plugin completes the parameters that it understands,
     * so one that it does not complete means nothing to it: most likely it is misspelt.
     *
     * @param at where the kind and its parameters are in the request: empty, or ends with a dot
     */
    Demand demand(String at, String kind, Map<String, @Nullable Object> parameters) {
        String field = at + "parameters.";
        return switch (plugin(at + "kind", kind).planning().plan(parameters)) {
            case Plan.Planned planned -> {
                requireKnown(field, parameters.keySet(), planned.parameters().keySet());
                yield planned.demand();
            }
            case Plan.Invalid invalid ->
                    throw new ProblemException(
                            Problem.of(
                                            400,
                                            "invalid-reservation",
                                            field + invalid.field() + ": " + invalid.message())
                                    .with(field + invalid.field(), invalid.message()));
        };
    }

    static void requireKnown(String at, Set<String> asked, Set<String> known) {
        for (String name : asked) {
            if (!known.contains(name)) {
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
