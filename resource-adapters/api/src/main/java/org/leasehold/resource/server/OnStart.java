package org.leasehold.resource.server;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.parameter.Word;

import java.util.Map;

/** What becomes of a lease's server at its start. */
public enum OnStart implements Word {
    /** It runs, whatever it did before. */
    UNSHELVE("unshelve"),
    /** It stays as it is; its project starts it when it likes. */
    LEAVE("leave");

    private final String word;

    OnStart(String word) {
        this.word = word;
    }

    @Override
    public String word() {
        return word;
    }

    /**
     * What a reservation wants.
     *
     * @param parameters as {@link ServerPlanning} normalised them
     */
    public static OnStart of(Map<String, @Nullable Object> parameters) {
        return Word.of(OnStart.class, parameters.get(ServerPlanning.ON_START)).orElseThrow();
    }
}
