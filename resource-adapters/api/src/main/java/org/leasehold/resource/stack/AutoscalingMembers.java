package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The members of the autoscaling groups of a template, among the parts of a stack. */
final class AutoscalingMembers {

    /** Heat's word for such a group. */
    static final String GROUP = "OS::Heat::AutoScalingGroup";

    private final Map<?, ?> resources;

    /** The names of the members so far, by group. */
    private final Map<String, List<String>> members = new HashMap<>();

    private AutoscalingMembers(Map<?, ?> resources) {
        this.resources = resources;
    }

    /**
     * Returns the parts with a number instead of the name of each member. Heat chooses other names
     * in each preview, so names do not show which member stays. All members of a group are alike.
     *
     * @param parameters a request of the stack, as a plan normalised it
     */
    static List<StackComponent> numbered(
            List<StackComponent> parts, Map<String, @Nullable Object> parameters) {
        AutoscalingMembers members =
                new AutoscalingMembers(Template.resources(parameters.get(StackPlanning.TEMPLATE)));
        return parts.stream().map(members::numbered).toList();
    }

    private StackComponent numbered(StackComponent part) {
        return Template.owner(resources, part)
                .filter(group -> isGroup(group) && part.name().length() > group.length())
                .map(group -> numbered(part, group))
                .orElse(part);
    }

    /** Compares the type, whose field has another name in each dialect. */
    private boolean isGroup(String name) {
        return resources.get(name) instanceof Map<?, ?> resource && resource.containsValue(GROUP);
    }

    private StackComponent numbered(StackComponent part, String group) {
        int start = group.length() + 1;
        String member = part.name().substring(start).split("[.-]", 2)[0];
        List<String> names = members.computeIfAbsent(group, _ -> new ArrayList<>());
        if (!names.contains(member)) {
            names.add(member);
        }
        return part.named(
                part.name().substring(0, start)
                        + names.indexOf(member)
                        + part.name().substring(start + member.length()));
    }
}
