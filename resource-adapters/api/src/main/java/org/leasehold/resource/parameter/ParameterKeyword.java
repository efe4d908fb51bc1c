package org.leasehold.resource.parameter;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** One of the few values that a parameter can have. */
public interface ParameterKeyword {

    /** Returns the parameter's value. */
    String word();

    /** Returns the word that a parameter's value names; empty for any other value. */
    static <W extends Enum<W> & ParameterKeyword> Optional<W> of(
            Class<W> words, @Nullable Object value) {
        return Arrays.stream(words.getEnumConstants())
                .filter(each -> each.word().equals(value))
                .findFirst();
    }

    /** Returns all words, in the order in which messages list them. */
    static <W extends Enum<W> & ParameterKeyword> List<String> all(Class<W> words) {
        return Arrays.stream(words.getEnumConstants()).map(ParameterKeyword::word).toList();
    }
}
