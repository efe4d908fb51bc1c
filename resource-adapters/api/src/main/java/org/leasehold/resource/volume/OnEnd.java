package org.leasehold.resource.volume;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What becomes of a lease's volume at its end. */
public enum OnEnd {
    /** It is detached and deleted, with all of its snapshots. */
    DELETE("delete"),
    /**
     * It is detached, a snapshot is taken of it, and both stay: there is none without its volume.
     */
    SNAPSHOT("snapshot"),
    /** It is detached, and stays. */
    DETACH("detach"),
    /** It stays as it is, attached or not. */
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
     * @param parameters as {@link VolumePlanning} normalised them
     */
    public static OnEnd of(Map<String, @Nullable Object> parameters) {
        return called(parameters.get(VolumePlanning.ON_END)).orElseThrow();
    }

    static Optional<OnEnd> called(@Nullable Object word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }

    /** All words, for people. */
    static String words() {
        return Arrays.stream(values()).map(OnEnd::word).collect(Collectors.joining(", "));
    }
}
