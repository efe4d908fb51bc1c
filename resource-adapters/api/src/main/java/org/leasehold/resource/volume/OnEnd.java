package org.leasehold.resource.volume;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.parameter.Word;

import java.util.Map;

/** What becomes of a lease's volume at its end. */
public enum OnEnd implements Word {
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

    @Override
    public String word() {
        return word;
    }

    /**
     * What a reservation wants.
     *
     * @param parameters as {@link VolumePlanning} normalised them
     */
    public static OnEnd of(Map<String, @Nullable Object> parameters) {
        return Word.of(OnEnd.class, parameters.get(VolumePlanning.ON_END)).orElseThrow();
    }
}
