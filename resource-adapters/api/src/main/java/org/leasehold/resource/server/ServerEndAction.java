package org.leasehold.resource.server;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.parameter.ParameterKeyword;

import java.util.Map;

/** The action on a lease's server at its end. */
public enum ServerEndAction implements ParameterKeyword {
    /** Shelves the server: it takes no room on any host, and can be unshelved unchanged. */
    SHELVE("shelve"),
    /** Stops the server, which keeps its room. */
    STOP("stop"),
    /** Suspends the server with its memory; it keeps its room. */
    SUSPEND("suspend"),
    /** Creates an image of the server, and shelves it. */
    SNAPSHOT("snapshot"),
    /** Deletes the server. */
    DELETE("delete"),
    /** Leaves the server as it is. */
    KEEP("keep");

    private final String word;

    ServerEndAction(String word) {
        this.word = word;
    }

    @Override
    public String word() {
        return word;
    }

    /**
     * Returns the action of a reservation.
     *
     * @param parameters as {@link ServerPlanning} normalised them
     */
    public static ServerEndAction of(Map<String, @Nullable Object> parameters) {
        return ParameterKeyword.of(ServerEndAction.class, parameters.get(ServerPlanning.ON_END))
                .orElseThrow();
    }
}
