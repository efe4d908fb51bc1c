package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The values of parameters that a template declares hidden: no caller may see them. */
public final class HiddenParameters {

    /** The replacement of a value; Heat's word. */
    private static final String MASK = "******";

    /** The fields of an environment that hold values of parameters. */
    private static final List<String> ENVIRONMENT_FIELDS =
            List.of("parameters", "parameter_defaults");

    private HiddenParameters() {}

    /** Returns a request with hidden values masked; a request without a template is unchanged. */
    public static Map<String, @Nullable Object> mask(Map<String, @Nullable Object> wish) {
        Set<String> hidden = hiddenNames(wish.get(StackPlanning.TEMPLATE));
        if (hidden.isEmpty()) {
            return wish;
        }
        Map<String, @Nullable Object> masked = new LinkedHashMap<>(wish);
        masked.computeIfPresent(StackPlanning.PARAMETERS, (_, values) -> mask(values, hidden));
        masked.computeIfPresent(
                StackPlanning.ENVIRONMENT,
                (_, said) ->
                        TemplateParser.parseObject(said)
                                .<Object>map(environment -> maskEnvironment(environment, hidden))
                                .orElse(MASK));
        return masked;
    }

    private static Map<String, @Nullable Object> maskEnvironment(
            Map<String, @Nullable Object> environment, Set<String> hidden) {
        ENVIRONMENT_FIELDS.forEach(
                field -> environment.computeIfPresent(field, (_, values) -> mask(values, hidden)));
        return environment;
    }

    private static Object mask(Object values, Set<String> hidden) {
        if (!(values instanceof Map<?, ?> fields)) {
            return MASK;
        }
        Map<Object, @Nullable Object> masked = new LinkedHashMap<>(fields);
        masked.replaceAll((name, value) -> hidden.contains(String.valueOf(name)) ? MASK : value);
        return masked;
    }

    /** Returns a template's hidden parameters, in Heat's or CloudFormation's words. */
    private static Set<String> hiddenNames(@Nullable Object template) {
        return TemplateParser.parseObject(template)
                .map(said -> said.getOrDefault("parameters", said.get("Parameters")))
                .filter(Map.class::isInstance)
                .map(declared -> ((Map<?, ?>) declared))
                .orElse(Map.of())
                .entrySet()
                .stream()
                .filter(each -> isHidden(each.getValue()))
                .map(each -> String.valueOf(each.getKey()))
                .collect(Collectors.toSet());
    }

    private static boolean isHidden(@Nullable Object declaration) {
        return declaration instanceof Map<?, ?> fields
                && (isTrue(fields.get("hidden")) || isTrue(fields.get("NoEcho")));
    }

    private static boolean isTrue(@Nullable Object value) {
        return String.valueOf(value).equalsIgnoreCase("true");
    }

    /** Replaces masks in requested parameters by the reservation's present values. */
    static Map<String, @Nullable Object> unmask(
            Map<String, @Nullable Object> asked, Map<String, @Nullable Object> present) {
        Map<String, @Nullable Object> unmasked = new LinkedHashMap<>(asked);
        for (String field : List.of(StackPlanning.PARAMETERS, StackPlanning.ENVIRONMENT)) {
            if (asked.get(field) != null && present.get(field) != null) {
                unmasked.put(field, unmask(asked.get(field), present.get(field)));
            }
        }
        return unmasked;
    }

    private static @Nullable Object unmask(@Nullable Object asked, @Nullable Object present) {
        if (MASK.equals(asked)) {
            return present;
        }
        if (!(asked instanceof Map<?, ?> fields)) {
            return asked;
        }
        Map<String, @Nullable Object> before = TemplateParser.parseObject(present).orElse(Map.of());
        Map<Object, @Nullable Object> unmasked = new LinkedHashMap<>();
        fields.forEach(
                (name, value) ->
                        unmasked.put(name, unmask(value, before.get(String.valueOf(name)))));
        return unmasked;
    }
}
