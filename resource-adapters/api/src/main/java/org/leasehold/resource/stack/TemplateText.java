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
 * Reads texts as Heat does: YAML 1.1, of which JSON is a part, without dates. What is read here is
 * what Heat is asked with, so that it cannot understand a text otherwise.
 */
final class TemplateText {

    /** An alias costs its text nothing, however much it stands for. */
    private static final int MOST_VALUES = 100_000;

    private static final int DEEPEST = 100;

    private int values;

    private TemplateText() {}

    /** The object that is said, or that a text says; empty if it is none. */
    static Optional<Map<String, @Nullable Object>> object(@Nullable Object said) {
        return said instanceof String text ? read(text) : fields(said);
    }

    private static Optional<Map<String, @Nullable Object>> read(String text) {
        LoaderOptions options = new LoaderOptions();
        options.setMaxAliasesForCollections(MOST_VALUES);
        try {
            return fields(
                    new TemplateText().plain(new Yaml(new Json(options)).load(text), DEEPEST));
        } catch (RuntimeException noYaml) {
            // Values that are not of the type that their tags name make the parser throw anything.
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

    /** The same in the values that parameters are made of. */
    private @Nullable Object plain(@Nullable Object read, int depth) {
        values++;
        if (values > MOST_VALUES || depth == 0) {
            throw new Unreadable();
        }
        return switch (read) {
            case null -> null;
            case String _, Boolean _, Integer _, Long _ -> read;
            case BigInteger number -> new BigDecimal(number);
            case Double number when Double.isFinite(number) -> BigDecimal.valueOf(number);
            case List<?> items -> {
                List<@Nullable Object> all = new ArrayList<>();
                items.forEach(item -> all.add(plain(item, depth - 1)));
                yield all;
            }
            case Map<?, ?> fields -> {
                Map<String, @Nullable Object> all = new LinkedHashMap<>();
                fields.forEach(
                        (name, value) -> all.put(String.valueOf(name), plain(value, depth - 1)));
                yield all;
            }
            default -> throw new Unreadable();
        };
    }

    /** It is more than anybody writes, or nothing that JSON has. */
    private static final class Unreadable extends RuntimeException {

        private static final long serialVersionUID = 1;
    }

    /** A date is a text: so are the versions of templates. */
    private static final class Json extends SafeConstructor {

        Json(LoaderOptions options) {
            super(options);
            yamlConstructors.put(Tag.TIMESTAMP, new ConstructYamlStr());
        }
    }
}
