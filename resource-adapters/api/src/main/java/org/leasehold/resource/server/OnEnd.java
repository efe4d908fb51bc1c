package org.leasehold.resource.server;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.parameter.Word;

import java.util.Map;

/** What becomes of a lease's server at its end. */
public enum OnEnd implements Word {
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

    @Override
    public String word() {
        return word;
    }

    /**
     * What a reservation wants.
     *
     * @param parameters as {@link ServerPlanning} normalised them
     */
    public static OnEnd of(Map<String, @Nullable Object> parameters) {
        return Word.of(OnEnd.class, parameters.get(ServerPlanning.ON_END)).orElseThrow();
    }
}
