package org.leasehold.resource.openstack.stack;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The resources of a stack, as Heat shows them. */
final class FakeStackResources {

    private FakeStackResources() {}

    /** Returns resources; one whose name has a slash is in a nested stack. */
    static List<Map<String, ?>> of(FakeHeat.Stack stack) {
        List<Map<String, ?>> all = new ArrayList<>();
        stack.resources.forEach(
                (name, described) -> {
                    String[] idAndType = described.split(" ", -1);
                    String own = "http://heat/v1/p1/stacks/%s/%s".formatted(stack.name, stack.id);
                    int slash = name.indexOf('/');
                    if (slash < 0) {
                        all.add(resource(name, idAndType, Map.of("stack", own)));
                        return;
                    }
                    String group = name.substring(0, slash);
                    String nested =
                            own.replace(stack.id, "") + "-" + group + "-abcdefghijkl/" + group;
                    all.add(
                            resource(
                                    name.substring(slash + 1), idAndType, Map.of("stack", nested)));
                    all.add(
                            resource(
                                    group,
                                    new String[] {group, FakeHeat.GROUP},
                                    Map.of("stack", own, "nested", nested)));
                });
        return all;
    }

    /** Replaces the resources of a stack by those of a template. */
    static void create(FakeHeat.Stack stack, JsonNode template) {
        stack.resources.clear();
        template.path("resources")
                .forEachEntry(
                        (name, resource) ->
                                stack.resources.put(
                                        name, name + "-id " + resource.path("type").asString("")));
    }

    private static Map<String, ?> resource(
            String name, String[] idAndType, Map<String, String> links) {
        return Map.of(
                "resource_name",
                name,
                "resource_type",
                idAndType[1],
                "physical_resource_id",
                idAndType[0],
                "links",
                links.entrySet().stream()
                        .map(link -> Map.of("rel", link.getKey(), "href", link.getValue()))
                        .toList());
    }
}
