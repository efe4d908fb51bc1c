package org.leasehold.gateway.api;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Names of components in the OpenAPI document. */
final class SchemaNames {

    private SchemaNames() {}

    /** Returns words as one name, such as {@code PhysicalHost}. */
    static String inPascalCase(Stream<String> words) {
        return words.map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
                .collect(Collectors.joining());
    }
}
