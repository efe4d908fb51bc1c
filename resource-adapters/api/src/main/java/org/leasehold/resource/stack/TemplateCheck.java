package org.leasehold.resource.stack;

import static org.leasehold.resource.stack.Template.map;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.Planning.Plan.Invalid;
import org.leasehold.resource.stack.Template.Dialect;

import tools.jackson.databind.json.JsonMapper;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A check that a preview of a template shows all that it will create. Heat previews types by their
 * names in the template, whatever the environment maps them to. It fetches what is behind a URL
 * again each time. It shows values that are known only after creation like absent values.
 */
public final class TemplateCheck {

    /** The largest size in bytes of JSON: each change of a lease writes all of it again. */
    private static final int MAX_BYTES = 256 * 1024;

    private static final int MAX_RESOURCES = 10_000;
    private static final int MAX_DEPTH = 10;

    private static final String REGISTRY = "resource_registry";
    private static final String BASE_URL = "base_url";
    private static final Set<String> RESERVED_KEYS =
            Set.of("hooks", "restricted_actions", BASE_URL);

    private static final String CHAIN_TYPE = "OS::Heat::ResourceChain";
    private static final String CHAIN_RESOURCES = "resources";

    /** A type whose template is at a URL. */
    private static final String REMOTE_TEMPLATE_TYPE = "AWS::CloudFormation::Stack";

    /** The properties that determine the needs of a resource. */
    private static final Map<String, List<String>> SIZING_PROPERTIES =
            Map.of(
                    "OS::Nova::Server",
                            List.of(
                                    "flavor",
                                    "availability_zone",
                                    "image",
                                    "block_device_mapping",
                                    "block_device_mapping_v2"),
                    "OS::Cinder::Volume", List.of("size", "volume_type"),
                    "OS::Neutron::FloatingIP", List.of("floating_network"),
                    "OS::Nova::FloatingIP", List.of("pool"),
                    "OS::Neutron::Router", List.of("external_gateway_info"),
                    "OS::Neutron::RouterGateway", List.of("network"),
                    "OS::Heat::ResourceGroup", List.of("count"),
                    "OS::Heat::AutoScalingGroup",
                            List.of("desired_capacity", "min_size", "max_size"));

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Map<?, ?> files;
    private final Map<?, ?> registry;
    private int resourceCount;

    private TemplateCheck(Map<?, ?> files, Map<?, ?> registry) {
        this.files = files;
        this.registry = registry;
    }

    /** Returns an error of a new stack's request; empty if it can be previewed. */
    static Optional<Invalid> validate(Map<String, @Nullable Object> wish) {
        if (JSON.writeValueAsBytes(Template.request(wish)).length > MAX_BYTES) {
            return invalid(
                    StackPlanning.TEMPLATE,
                    "The template and what belongs to it have more than %s bytes"
                            .formatted(MAX_BYTES));
        }
        Object said = wish.get(StackPlanning.ENVIRONMENT);
        Optional<Map<String, @Nullable Object>> environment =
                said == null ? Optional.of(Map.of()) : TemplateParser.parseObject(said);
        if (environment.isEmpty()) {
            return invalid(StackPlanning.ENVIRONMENT, "It is no environment of Heat's");
        }
        TemplateCheck check =
                new TemplateCheck(
                        map(wish.get(StackPlanning.FILES)), map(environment.get().get(REGISTRY)));
        return check.checkRegistry(check.registry)
                .flatMap(why -> invalid(StackPlanning.ENVIRONMENT, why))
                .or(
                        () ->
                                check.checkTemplate(
                                                wish.get(StackPlanning.TEMPLATE),
                                                Set.of(),
                                                MAX_DEPTH)
                                        .flatMap(why -> invalid(StackPlanning.TEMPLATE, why)));
    }

    private static Optional<Invalid> invalid(String field, String why) {
        return Optional.of(new Invalid(field, why));
    }

    /**
     * Returns whether a registry maps types to anything but templates. It is for an existing stack,
     * which has no files to read.
     *
     * @param registry of an environment
     */
    public static boolean hidesTypes(@Nullable Object registry) {
        return mappedTypes(registry).anyMatch(value -> !isTemplate(value));
    }

    private Optional<String> checkRegistry(Map<?, ?> registry) {
        // Entries for single resources are not followed.
        Stream<?> single = mappedTypes(map(registry.get("resources")));
        return Stream.concat(single, mappedTypes(registry).filter(value -> !isAmongFiles(value)))
                .findFirst()
                .map(
                        value ->
                                "Its %s says %s; it can have types made by templates among the files"
                                                .formatted(REGISTRY, value)
                                        + " only, and by the same for all resources");
    }

    /** Returns the targets of a registry's type mappings. */
    private static Stream<?> mappedTypes(@Nullable Object registry) {
        return registry instanceof Map<?, ?> fields
                ? fields.entrySet().stream()
                        .filter(
                                each ->
                                        each.getValue() instanceof Map
                                                || !RESERVED_KEYS.contains(
                                                        String.valueOf(each.getKey())))
                        .flatMap(each -> mappedTypes(each.getValue()))
                : Stream.of(String.valueOf(registry));
    }

    private static boolean isTemplate(Object name) {
        return name instanceof String file
                && (file.endsWith(".yaml") || file.endsWith(".template"));
    }

    private boolean isAmongFiles(Object name) {
        return isTemplate(name) && files.containsKey(name);
    }

    /**
     * Checks a template.
     *
     * @param unknown those of its parameters that are known only after creation
     */
    private Optional<String> checkTemplate(@Nullable Object said, Set<String> unknown, int depth) {
        Optional<Map<String, @Nullable Object>> template = TemplateParser.parseObject(said);
        if (template.isEmpty() || depth == 0) {
            return Optional.of("It is no template of Heat's, or one that is too deep");
        }
        Dialect dialect = Dialect.of(template.get());
        return firstError(
                map(template.get().get(dialect.resources)).entrySet(),
                each ->
                        checkResource(
                                String.valueOf(each.getKey()),
                                map(each.getValue()),
                                dialect,
                                unknown,
                                depth));
    }

    private Optional<String> checkResource(
            String name, Map<?, ?> resource, Dialect dialect, Set<String> unknown, int depth) {
        resourceCount++;
        if (resourceCount > MAX_RESOURCES || depth == 0) {
            return Optional.of("It has too many resources");
        }
        if (!(resource.get(dialect.type) instanceof String type)) {
            return Optional.of("The resource %s does not say its type".formatted(name));
        }
        Map<?, ?> properties = map(resource.get(dialect.properties));
        Optional<String> late =
                SIZING_PROPERTIES.getOrDefault(type, List.of()).stream()
                        .filter(property -> isUnknown(properties.get(property), unknown))
                        .findFirst();
        if (late.isPresent()) {
            return Optional.of(
                    "The resource %s (%s) cannot be reserved: its %s is not known before it is made"
                            .formatted(name, type, late.get()));
        }
        if (type.equals(CHAIN_TYPE)) {
            return checkChain(name, properties, unknown, depth);
        }
        String repeated = HeatResourceTypes.REPEATED_PROPERTIES.get(type);
        Optional<String> within =
                repeated == null
                        ? Optional.empty()
                        : checkResource(
                                name,
                                map(properties.get(repeated)),
                                Dialect.HOT,
                                unknown,
                                depth - 1);
        return within.or(() -> checkTypeTemplates(name, type, properties, unknown, depth));
    }

    private Optional<String> checkChain(
            String name, Map<?, ?> properties, Set<String> unknown, int depth) {
        Map<?, ?> theirs = map(properties.get("resource_properties"));
        return properties.get(CHAIN_RESOURCES) instanceof List<?> types
                ? firstError(
                        types,
                        type ->
                                type instanceof String word
                                        ? checkTypeTemplates(name, word, theirs, unknown, depth)
                                        : Optional.of(
                                                "The chain %s does not say its types"
                                                        .formatted(name)))
                : Optional.of("The chain %s does not say its types".formatted(name));
    }

    /** Checks the templates that may create resources of a type. */
    private Optional<String> checkTypeTemplates(
            String name, String type, Map<?, ?> properties, Set<String> unknown, int depth) {
        if (type.equals(REMOTE_TEMPLATE_TYPE) || (isTemplate(type) && !files.containsKey(type))) {
            return Optional.of(
                    "The resource %s (%s) cannot be reserved: its template is not among the files"
                            .formatted(name, type));
        }
        Set<String> given =
                properties.entrySet().stream()
                        .filter(each -> isUnknown(each.getValue(), unknown))
                        .map(each -> String.valueOf(each.getKey()))
                        .collect(Collectors.toSet());
        List<?> templates =
                Stream.concat(
                                Stream.of(type).filter(TemplateCheck::isTemplate),
                                registry.entrySet().stream()
                                        .filter(each -> matchesType(each.getKey(), type))
                                        .map(Map.Entry::getValue))
                        .filter(this::isAmongFiles)
                        .toList();
        return firstError(templates, file -> checkTemplate(files.get(file), given, depth - 1));
    }

    private static boolean matchesType(@Nullable Object registered, String type) {
        return registered instanceof String key
                && (key.equals(type)
                        || (key.endsWith("*") && type.startsWith(key.replaceFirst("\\*$", ""))));
    }

    /** Returns whether a value depends on another resource's creation. */
    private static boolean isUnknown(@Nullable Object value, Set<String> unknown) {
        return switch (value) {
            case Map<?, ?> fields ->
                    fields.containsKey("get_attr")
                            || fields.containsKey("Fn::GetAtt")
                            || Stream.of("get_param", "Ref")
                                    .anyMatch(
                                            word ->
                                                    unknown.contains(
                                                            parameterName(fields.get(word))))
                            || fields.values().stream().anyMatch(each -> isUnknown(each, unknown));
            case List<?> items -> items.stream().anyMatch(each -> isUnknown(each, unknown));
            case null, default -> false;
        };
    }

    private static String parameterName(@Nullable Object said) {
        return String.valueOf(
                said instanceof List<?> path && !path.isEmpty() ? path.getFirst() : said);
    }

    private static <T> Optional<String> firstError(
            Collection<T> all, Function<T, Optional<String>> misfit) {
        return all.stream().flatMap(each -> misfit.apply(each).stream()).findFirst();
    }
}
