package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.parameter.Word;

import java.util.Map;

/** The action on a lease's stack at its end. */
public enum OnEnd implements Word {
    /** Deletes the stack, except resources whose policy says otherwise. */
    DELETE("delete"),
    /** Suspends the stack: its servers keep their memory, and their room. */
    SUSPEND("suspend"),
    /** Leaves the stack as it is; only for a stack that existed before. */
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
     * Returns the action of a reservation.
     *
     * @param parameters as {@link StackPlanning} normalised them
     */
    public static OnEnd of(Map<String, @Nullable Object> parameters) {
        return Word.of(OnEnd.class, parameters.get(StackPlanning.ON_END)).orElseThrow();
    }
}
