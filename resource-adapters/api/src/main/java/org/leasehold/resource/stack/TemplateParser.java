package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.Tag;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads texts as Heat does: YAML 1.1, of which JSON is a part, without dates. The engine sends Heat
 * the result, so that Heat cannot read a text differently.
 */
final class TemplateParser {

    /** The most values: an alias is short, but may stand for many. */
    private static final int MAX_VALUES = 100_000;

    private static final int MAX_DEPTH = 100;

    private int valueCount;

    private TemplateParser() {}

    /** Returns an object, or the one that a text holds; empty if it is none. */
    static Optional<Map<String, @Nullable Object>> parseObject(@Nullable Object said) {
        return said instanceof String text ? read(text) : fields(said);
    }

    private static Optional<Map<String, @Nullable Object>> read(String text) {
        LoaderOptions options = new LoaderOptions();
        options.setMaxAliasesForCollections(MAX_VALUES);
        try {
            return fields(
                    new TemplateParser()
                            .toParameterValue(new Yaml(new Json(options)).load(text), MAX_DEPTH));
        } catch (RuntimeException noYaml) {
            // Values that do not match their tags make the parser throw any exception.
            return Optional.empty();
        }
    }

    private static Optional<Map<String, @Nullable Object>> fields(@Nullable Object read) {
        if (!(read instanceof Map<?, ?> object)) {
            return Optional.empty();
        }
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        object.forEach((name, value) -> fields.put(String.valueOf(name), value));
        return Optional.of(fields);
    }

    /** Converts a value to the types of parameters. */
    private @Nullable Object toParameterValue(@Nullable Object read, int depth) {
        valueCount++;
        if (valueCount > MAX_VALUES || depth == 0) {
            throw new Unreadable();
        }
        return switch (read) {
            case null -> null;
            case String _, Boolean _, Integer _, Long _ -> read;
            case BigInteger number -> new BigDecimal(number);
            case Double number when Double.isFinite(number) -> BigDecimal.valueOf(number);
            case List<?> items -> {
                List<@Nullable Object> all = new ArrayList<>();
                items.forEach(item -> all.add(toParameterValue(item, depth - 1)));
                yield all;
            }
            case Map<?, ?> fields -> {
                Map<String, @Nullable Object> all = new LinkedHashMap<>();
                fields.forEach(
                        (name, value) ->
                                all.put(String.valueOf(name), toParameterValue(value, depth - 1)));
                yield all;
            }
            default -> throw new Unreadable();
        };
    }

    /** A text that exceeds a limit, or holds a value that JSON does not have. */
    private static final class Unreadable extends RuntimeException {

        private static final long serialVersionUID = 1;
    }

    /** A YAML constructor that reads a date as a text: template versions look like dates. */
    private static final class Json extends SafeConstructor {

        Json(LoaderOptions options) {
            super(options);
            yamlConstructors.put(Tag.TIMESTAMP, new ConstructYamlStr());
        }
    }
}
