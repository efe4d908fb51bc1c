package org.leasehold.resource.server;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What becomes of a lease's server at its end. */
public enum OnEnd {
    /** It is shelved: it takes no room on any host, and can be unshelved as it was. */
    SHELVE("shelve"),
    /** It is stopped, and keeps its room. */
    STOP("stop"),
    /** It is suspended, with its memory, and keeps its room. */
    SUSPEND("suspend"),
    /** An image is made of it, and it is shelved. */
    SNAPSHOT("snapshot"),
    /** It is deleted. */
    DELETE("delete"),
    /** It stays as it is. */
    KEEP("keep");

    private final String word;

    OnEnd(String word) {
        this.word = word;
    }

    /** As a reservation's parameter has it. */
    public String word() {
        return word;
    }

    /**
     * What a reservation wants.
     *
     * @param parameters as {@link ServerPlanning} normalised them
     */
    public static OnEnd of(Map<String, @Nullable Object> parameters) {
        return called(parameters.get(ServerPlanning.ON_END)).orElseThrow();
    }

    static Optional<OnEnd> called(@Nullable Object word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }

    /** All words, for people. */
    static String words() {
        return Arrays.stream(values()).map(OnEnd::word).collect(Collectors.joining(", "));
    }
}
