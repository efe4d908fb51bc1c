package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.stack.Template.Dialect;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The resources of a template that Heat may replace in an update: it creates the new one first, and
 * drops the other one by its deletion policy. In doubt, a resource is replaced: the calendar must
 * not free what the cloud may hold.
 */
final class ReplacedResources {

    /** The properties that Heat changes in place, by resource type. Every other one replaces. */
    private static final Map<String, Set<String>> UPDATABLE =
            Map.of(
                    "OS::Cinder::Volume",
                    Set.of(
                            "backup_id",
                            "description",
                            "metadata",
                            "name",
                            "read_only",
                            "size",
                            "volume_type"),
                    "OS::Neutron::FloatingIP",
                    Set.of("dns_domain", "dns_name", "fixed_ip_address", "port_id"),
                    "OS::Neutron::Port",
                    Set.of("admin_state_up", "fixed_ips", "name", "security_groups"),
                    "OS::Neutron::Router",
                    Set.of("admin_state_up", "external_gateway_info", "name"),
                    HeatResourceTypes.SERVER,
                    Set.of(
                            "admin_pass",
                            "flavor",
                            "flavor_update_policy",
                            "image",
                            "image_update_policy",
                            "metadata",
                            "name",
                            "networks",
                            "tags"),
                    "OS::Heat::AutoScalingGroup",
                    Set.of("cooldown", "desired_capacity", "max_size", "min_size"),
                    "OS::Heat::ResourceGroup",
                    Set.of("count", "removal_policies"));

    private static final String UPDATE_POLICY = "_update_policy";
    private static final String REPLACE = "REPLACE";

    private final Content before;
    private final Content after;

    /** The names of parameters, files and resources that differ. */
    private final Set<String> changedNames = new HashSet<>();

    /**
     * Compares two requests of a stack.
     *
     * @param before the parameters before the change, as a plan normalised them
     * @param after the parameters after the change
     */
    ReplacedResources(Map<String, @Nullable Object> before, Map<String, @Nullable Object> after) {
        this.before = Content.of(before);
        this.after = Content.of(after);
        addDifferent(this.before.values, this.after.values);
        addDifferent(this.before.files, this.after.files);
        addDifferent(this.before.resources, this.after.resources);
    }

    private void addDifferent(Map<?, ?> one, Map<?, ?> other) {
        Set<Object> names = new HashSet<>(one.keySet());
        names.addAll(other.keySet());
        names.stream()
                .filter(name -> !Objects.equals(one.get(name), other.get(name)))
                .map(String::valueOf)
                .forEach(changedNames::add);
    }

    /** Returns whether Heat may create a part of the stack a second time. */
    boolean contains(StackComponent part) {
        Optional<String> owner = Template.owner(before.resources, part);
        if (owner.isEmpty()) {
            return !changedNames.isEmpty();
        }
        boolean isNested = !owner.get().equals(part.name());
        return (isNested && !before.files.equals(after.files))
                || isReplaced(
                        map(before.resources.get(owner.get())),
                        map(after.resources.get(owner.get())));
    }

    private boolean isReplaced(Map<?, ?> resource, Map<?, ?> next) {
        Object type = next.get(after.dialect.type);
        if (!Objects.equals(resource.get(before.dialect.type), type) || mentionsChange(type)) {
            return true;
        }
        Map<?, ?> properties = map(resource.get(before.dialect.properties));
        Map<?, ?> others = map(next.get(after.dialect.properties));
        Set<Object> names = new HashSet<>(properties.keySet());
        names.addAll(others.keySet());
        names.removeIf(name -> isUpdatable(String.valueOf(type), name, others));
        return names.stream()
                .anyMatch(
                        name ->
                                !Objects.equals(properties.get(name), others.get(name))
                                        || mentionsChange(others.get(name)));
    }

    private static boolean isUpdatable(String type, Object name, Map<?, ?> properties) {
        Object policy = properties.get(name + UPDATE_POLICY);
        return UPDATABLE.getOrDefault(type, Set.of()).contains(String.valueOf(name))
                && (policy == null || (policy instanceof String word && !word.equals(REPLACE)));
    }

    /** Returns whether a value names what differs: a function can then yield another value. */
    private boolean mentionsChange(@Nullable Object value) {
        return switch (value) {
            case null -> false;
            case Map<?, ?> fields -> fields.values().stream().anyMatch(this::mentionsChange);
            case Collection<?> items -> items.stream().anyMatch(this::mentionsChange);
            default -> changedNames.contains(value.toString());
        };
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    /**
     * The content of a stack.
     *
     * @param values the declarations of parameters and their values, by name
     */
    private record Content(
            Map<?, ?> resources, Map<?, ?> files, Map<?, ?> values, Dialect dialect) {

        static Content of(Map<String, @Nullable Object> parameters) {
            Map<?, ?> template = parsed(parameters.get(StackPlanning.TEMPLATE));
            Map<?, ?> environment = parsed(parameters.get(StackPlanning.ENVIRONMENT));
            Dialect dialect = Dialect.of(template);
            Map<Object, @Nullable Object> values = new HashMap<>();
            values.putAll(map(template.get(dialect.parameters)));
            values.putAll(map(environment.get("parameter_defaults")));
            values.putAll(map(environment.get("parameters")));
            values.putAll(map(parameters.get(StackPlanning.PARAMETERS)));
            return new Content(
                    map(template.get(dialect.resources)),
                    map(parameters.get(StackPlanning.FILES)),
                    values,
                    dialect);
        }

        private static Map<?, ?> parsed(@Nullable Object value) {
            return TemplateParser.parseObject(value)
                    .<Map<?, ?>>map(object -> object)
                    .orElse(Map.of());
        }
    }
}
