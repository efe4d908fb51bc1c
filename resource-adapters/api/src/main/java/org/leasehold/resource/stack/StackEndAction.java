package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.parameter.ParameterKeyword;

import java.util.Map;

/** The action on a lease's stack at its end. */
public enum StackEndAction implements ParameterKeyword {
    /** Deletes the stack, except resources whose policy says otherwise. */
    DELETE("delete"),
    /** Suspends the stack: its servers keep their memory, and their room. */
    SUSPEND("suspend"),
    /** Leaves the stack as it is; only for a stack that existed before. */
    KEEP("keep");

    private final String word;

    StackEndAction(String word) {
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
    public static StackEndAction of(Map<String, @Nullable Object> parameters) {
        return ParameterKeyword.of(StackEndAction.class, parameters.get(StackPlanning.ON_END))
                .orElseThrow();
    }
}
