package org.leasehold.resource;

import org.leasehold.inventory.ResourceKind;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The order in which the reservations of a lease start, by kind. */
public final class StartOrder {

    /** All kinds that a kind starts after, also indirectly. */
    private final Map<ResourceKind, Set<ResourceKind>> before = new HashMap<>();

    private StartOrder() {}

    /**
     * Returns the order that the plug-ins state in {@link Planning#startsAfter}.
     *
     * @throws IllegalStateException if kinds start after each other; names them
     */
    public static StartOrder of(Plugins plugins) {
        StartOrder order = new StartOrder();
        for (String kind : plugins.kinds()) {
            order.visit(new ResourceKind(kind), plugins, new ArrayList<>());
        }
        return order;
    }

    /** Returns whether reservations of a kind start after those of another one in a lease. */
    public boolean isAfter(ResourceKind kind, ResourceKind other) {
        return before.getOrDefault(kind, Set.of()).contains(other);
    }

    private Set<ResourceKind> visit(ResourceKind kind, Plugins plugins, List<ResourceKind> path) {
        if (path.contains(kind)) {
            throw new IllegalStateException(
                    "Each of these kinds would start after the next one: "
                            + cycle(path.subList(path.indexOf(kind), path.size()), kind));
        }
        Set<ResourceKind> known = before.get(kind);
        if (known != null) {
            return known;
        }
        path.add(kind);
        Set<ResourceKind> all = new LinkedHashSet<>();
        for (ResourceKind direct : directlyBefore(kind, plugins)) {
            all.add(direct);
            all.addAll(visit(direct, plugins, path));
        }
        path.removeLast();
        before.put(kind, all);
        return all;
    }

    /** Returns the kinds in the order of their names, so that a cycle always has one message. */
    private static List<ResourceKind> directlyBefore(ResourceKind kind, Plugins plugins) {
        Set<String> names =
                plugins.find(kind).stream()
                        .flatMap(plugin -> plugin.planning().startsAfter().stream())
                        .map(ResourceKind::value)
                        .collect(Collectors.toCollection(TreeSet::new));
        return names.stream().map(ResourceKind::new).toList();
    }

    private static String cycle(List<ResourceKind> kinds, ResourceKind first) {
        return kinds.stream().map(ResourceKind::value).collect(Collectors.joining(", "))
                + ", "
                + first.value();
    }
}
