package org.leasehold.resource.server;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What becomes of a lease's server at its start. */
public enum OnStart {
    /** It runs, whatever it did before. */
    UNSHELVE("unshelve"),
    /** It stays as it is; its project starts it when it likes. */
    LEAVE("leave");

    private final String word;

    OnStart(String word) {
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
    public static OnStart of(Map<String, @Nullable Object> parameters) {
        return called(parameters.get(ServerPlanning.ON_START)).orElseThrow();
    }

    static Optional<OnStart> called(@Nullable Object word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }

    /** All words, for people. */
    static String words() {
        return Arrays.stream(values()).map(OnStart::word).collect(Collectors.joining(", "));
    }
}
