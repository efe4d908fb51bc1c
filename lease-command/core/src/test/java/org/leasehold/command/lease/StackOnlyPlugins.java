package org.leasehold.command.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.stack.StackPlanning;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** The only plug-in of these tests, which plans stacks and never acts. */
public final class StackOnlyPlugins implements Plugins {

    private static final Planning PLANNING = new StackPlanning();

    /** Returns the parameters of a stack with a volume of each of these sizes, by type. */
    public static Map<String, @Nullable Object> volumes(Map<String, Integer> sizes) {
        return ((Planning.Plan.Planned) PLANNING.plan(request(sizes))).parameters();
    }

    /** Returns the parameters after the change of a running stack. */
    public static Map<String, @Nullable Object> changed(
            Map<String, @Nullable Object> before, Map<String, Integer> sizes) {
        return ((Planning.Plan.Planned) PLANNING.change(before, request(sizes), true)).parameters();
    }

    /** Returns a request for a stack with a volume of each of these sizes, by type. */
    public static Map<String, @Nullable Object> request(Map<String, Integer> sizes) {
        Map<String, Object> resources = new LinkedHashMap<>();
        List<Map<String, Object>> parts = new ArrayList<>();
        for (String type : new TreeSet<>(sizes.keySet())) {
            resources.put(
                    type, Map.of("type", "OS::Cinder::Volume", "properties", Map.of("size", 1)));
            parts.add(
                    Map.of(
                            "name",
                            type,
                            "type",
                            "OS::Cinder::Volume",
                            "kind",
                            ResourceKind.VOLUME.value(),
                            "place",
                            type,
                            "needs",
                            Map.of("VOLUME_GB", sizes.getOrDefault(type, 0))));
        }
        Map<String, @Nullable Object> request = new HashMap<>();
        // The sizes are in the template, so that each of them is another one.
        request.put("template", Map.of("resources", resources, "description", sizes.toString()));
        request.put("stack", Map.of("name", "", "parts", parts, "promised", List.of()));
        return request;
    }

    @Override
    public Optional<ResourcePlugin> find(ResourceKind kind) {
        return kind.equals(ResourceKind.STACK) ? Optional.of(new Stacks()) : Optional.empty();
    }

    @Override
    public SortedSet<String> kinds() {
        return new TreeSet<>(List.of(ResourceKind.STACK.value()));
    }

    private static final class Stacks implements ResourcePlugin {

        @Override
        public ResourceKind kind() {
            return ResourceKind.STACK;
        }

        @Override
        public Planning planning() {
            return PLANNING;
        }

        @Override
        public Acting acting() {
            throw new AssertionError("deciding touches no cloud");
        }
    }
}
