package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.parameter.Word;

import java.util.Map;

/** What becomes of a lease's stack at its end. */
public enum OnEnd implements Word {
    /** It is deleted, but for those of its resources whose policy says otherwise. */
    DELETE("delete"),
    /** It is suspended: its servers keep their memory, and their room. */
    SUSPEND("suspend"),
    /** It stays as it is; only one that was there before. */
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
     * @param parameters as {@link StackPlanning} normalised them
     */
    public static OnEnd of(Map<String, @Nullable Object> parameters) {
        return Word.of(OnEnd.class, parameters.get(StackPlanning.ON_END)).orElseThrow();
    }
}
