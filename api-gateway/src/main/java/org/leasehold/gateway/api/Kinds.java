package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;

import java.util.Map;
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

    /** What a wish with these parameters demands of the calendar. */
    Demand demand(String kind, Map<String, @Nullable Object> parameters) {
        return switch (plugin("kind", kind).planning().plan(parameters)) {
            case Plan.Planned planned -> planned.demand();
            case Plan.Invalid invalid ->
                    throw new ProblemException(
                            Problem.ofField("parameters." + invalid.field(), invalid.message()));
        };
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
