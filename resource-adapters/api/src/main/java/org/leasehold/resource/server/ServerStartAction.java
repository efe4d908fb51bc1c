package org.leasehold.resource.server;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.parameter.ParameterKeyword;

import java.util.Map;

/** The action on a lease's server at its start. */
public enum ServerStartAction implements ParameterKeyword {
    /** Makes the server run, from any state. */
    UNSHELVE("unshelve"),
    /** Leaves the server as it is; its project starts it at any time. */
    LEAVE("leave");

    private final String word;

    ServerStartAction(String word) {
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
    public static ServerStartAction of(Map<String, @Nullable Object> parameters) {
        return ParameterKeyword.of(ServerStartAction.class, parameters.get(ServerPlanning.ON_START))
                .orElseThrow();
    }
}
