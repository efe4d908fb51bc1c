package org.leasehold.resource.stack;

import static org.leasehold.resource.stack.Template.map;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.stack.Template.Dialect;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The resources of a template that Heat may replace in an update. Heat creates the new one first,
 * and drops the other one by its deletion policy. In doubt, a resource is replaced: the calendar
 * must not free what the cloud may hold.
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
                    "OS::Neutron::SecurityGroup",
                    Set.of("description", "name", "rules"),
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
                    AutoscalingMembers.GROUP,
                    Set.of("cooldown", "desired_capacity", "max_size", "min_size"),
                    "OS::Heat::ResourceGroup",
                    Set.of("count", "removal_policies"));

    /** The functions that yield the id of a resource, in both dialects. */
    private static final Set<String> ID_FUNCTIONS = Set.of("get_resource", "Ref");

    /** The parts of a template, in both dialects, whose entries functions use by name. */
    private static final List<String> RULES = List.of("conditions", "Conditions", "Mappings");

    /** The end of the name of a mapping for many types. */
    private static final String ANY = "*";

    private static final String UPDATE_POLICY = "_update_policy";
    private static final String REPLACE = "REPLACE";

    private final Content before;
    private final Content after;

    /** The names of all that differs, or that refers to what differs. */
    private final Set<String> changedNames = new HashSet<>();

    /** The beginnings of the names of types that a mapping of many types covers. */
    private final List<String> changedPrefixes;

    /** The names of the template's own resources that get another id. */
    private final Set<String> replacedNames = new HashSet<>();

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
        addDifferent(this.before.rules, this.after.rules);
        addDifferent(this.before.types, this.after.types);
        addDifferent(this.before.resources, this.after.resources);
        if (!this.before.hasSameNestedTemplates(this.after)) {
            changedNames.addAll(this.after.nestedTemplates());
        }
        changedPrefixes =
                changedNames.stream()
                        .filter(name -> name.endsWith(ANY))
                        .map(name -> name.substring(0, name.length() - 1))
                        .toList();
        boolean isGrowing = true;
        while (isGrowing) {
            isGrowing =
                    addMentioning(this.after.rules)
                            || addMentioning(this.after.properties())
                            || addReplaced()
                            || changedNames.addAll(replacedNames);
        }
    }

    private void addDifferent(Map<?, ?> one, Map<?, ?> other) {
        Set<Object> names = new HashSet<>(one.keySet());
        names.addAll(other.keySet());
        names.stream()
                .filter(name -> !Objects.equals(one.get(name), other.get(name)))
                .map(String::valueOf)
                .forEach(changedNames::add);
    }

    private boolean addMentioning(Map<?, ?> entries) {
        return changedNames.addAll(
                entries.entrySet().stream()
                        .filter(entry -> mentionsChange(entry.getValue()))
                        .map(entry -> String.valueOf(entry.getKey()))
                        .toList());
    }

    private boolean addReplaced() {
        return replacedNames.addAll(
                after.resources.keySet().stream()
                        .map(String::valueOf)
                        .filter(this::isReplaced)
                        .toList());
    }

    /** Returns whether Heat may create a part of the stack a second time. */
    boolean contains(StackComponent part) {
        Optional<String> owner = Template.owner(before.resources, part);
        if (owner.isEmpty()) {
            return !changedNames.isEmpty();
        }
        boolean isNested = !owner.get().equals(part.name());
        return (isNested && !before.hasSameNestedTemplates(after)) || isReplaced(owner.get());
    }

    private boolean isReplaced(String name) {
        if (!before.resources.containsKey(name)) {
            return true;
        }
        Map<?, ?> resource = map(before.resources.get(name));
        Map<?, ?> next = map(after.resources.get(name));
        Object type = next.get(after.dialect.type);
        if (!Objects.equals(resource.get(before.dialect.type), type) || mentionsChange(type)) {
            return true;
        }
        Map<?, ?> properties = map(resource.get(before.dialect.properties));
        Map<?, ?> others = map(next.get(after.dialect.properties));
        Set<Object> names = new HashSet<>(properties.keySet());
        names.addAll(others.keySet());
        names.removeIf(property -> isUpdatable(String.valueOf(type), property, others));
        return names.stream()
                .anyMatch(
                        property ->
                                !Objects.equals(properties.get(property), others.get(property))
                                        || mentionsChange(others.get(property)));
    }

    private static boolean isUpdatable(String type, Object name, Map<?, ?> properties) {
        Object policy = properties.get(name + UPDATE_POLICY);
        return UPDATABLE.getOrDefault(type, Set.of()).contains(String.valueOf(name))
                && (policy == null || (policy instanceof String word && !word.equals(REPLACE)));
    }

    /**
     * Returns whether a value names what differs: a function can then yield another value. The id
     * of a resource is the same unless Heat replaces it.
     */
    private boolean mentionsChange(@Nullable Object value) {
        return switch (value) {
            case null -> false;
            case Map<?, ?> fields when isId(fields) ->
                    replacedNames.containsAll(Set.copyOf(fields.values()));
            case Map<?, ?> fields -> fields.values().stream().anyMatch(this::mentionsChange);
            case Collection<?> items -> items.stream().anyMatch(this::mentionsChange);
            default -> changedNames.contains(value.toString()) || isTypeChanged(value.toString());
        };
    }

    /** Returns whether a value is a function that yields the id of a resource. */
    private boolean isId(Map<?, ?> function) {
        return function.size() == 1
                && function.entrySet().stream()
                        .allMatch(
                                entry ->
                                        ID_FUNCTIONS.contains(String.valueOf(entry.getKey()))
                                                && entry.getValue() instanceof String name
                                                && after.resources.containsKey(name));
    }

    /** Returns whether a mapping of many types differs that covers a text. */
    private boolean isTypeChanged(String text) {
        return changedPrefixes.stream().anyMatch(text::startsWith);
    }

    /**
     * The content of a stack.
     *
     * @param values the declarations of parameters and their values, by name
     * @param rules the conditions and the mappings of values, by name
     * @param types the files of types, by the names of these
     * @param defaults the values for templates among the files, too
     */
    private record Content(
            Map<?, ?> resources,
            Map<?, ?> files,
            Map<?, ?> values,
            Map<?, ?> rules,
            Map<?, ?> types,
            Map<?, ?> defaults,
            Dialect dialect) {

        static Content of(Map<String, @Nullable Object> parameters) {
            Map<?, ?> template = parsed(parameters.get(StackPlanning.TEMPLATE));
            Map<?, ?> environment = parsed(parameters.get(StackPlanning.ENVIRONMENT));
            Dialect dialect = Dialect.of(template);
            Map<Object, @Nullable Object> values = new HashMap<>();
            values.putAll(map(template.get(dialect.parameters)));
            Map<?, ?> defaults = map(environment.get("parameter_defaults"));
            values.putAll(defaults);
            values.putAll(map(environment.get("parameters")));
            values.putAll(map(parameters.get(StackPlanning.PARAMETERS)));
            Map<Object, @Nullable Object> rules = new HashMap<>();
            RULES.forEach(name -> rules.putAll(map(template.get(name))));
            return new Content(
                    map(template.get(dialect.resources)),
                    map(parameters.get(StackPlanning.FILES)),
                    values,
                    rules,
                    map(environment.get("resource_registry")),
                    defaults,
                    dialect);
        }

        /** Returns the properties of each resource. */
        Map<?, ?> properties() {
            Map<Object, @Nullable Object> properties = new HashMap<>();
            resources.forEach(
                    (name, resource) ->
                            properties.put(name, map(resource).get(dialect.properties)));
            return properties;
        }

        /**
         * Returns the names of files that are templates, and of types that the environment maps.
         */
        Set<String> nestedTemplates() {
            Set<String> names = new HashSet<>();
            types.keySet().forEach(type -> names.add(String.valueOf(type)));
            files.forEach(
                    (name, text) -> {
                        Map<?, ?> file = parsed(text);
                        if (file.containsKey(Dialect.of(file).resources)) {
                            names.add(String.valueOf(name));
                        }
                    });
            return names;
        }

        boolean hasSameNestedTemplates(Content other) {
            return files.equals(other.files)
                    && types.equals(other.types)
                    && defaults.equals(other.defaults);
        }

        private static Map<?, ?> parsed(@Nullable Object value) {
            return TemplateParser.parseObject(value).orElse(Map.of());
        }
    }
}
