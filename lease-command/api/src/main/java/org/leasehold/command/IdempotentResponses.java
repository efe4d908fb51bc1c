package org.leasehold.command;

import org.leasehold.command.CommandContext.Idempotency;

import java.time.Instant;
import java.util.Map;

/**
 * Stores responses to requests with an idempotency key, for as long as the keys. A repeated request
 * gets its first response, even if the state has changed since.
 */
public interface IdempotentResponses {

    /** Returns the state of the request that a key identifies. */
    Known find(Idempotency key, Instant now);

    /**
     * Stores the first response to a request.
     *
     * @return true if it is the first one. False if another response is stored already, or if it is
     *     an error although a command of the request was accepted
     */
    boolean storeFirst(Idempotency key, Answer answer, Instant now);

    /** The state of a request. */
    sealed interface Known {

        /** The request was never sent, or its key has expired. */
        record Nothing() implements Known {}

        /** The response is stored. */
        record Answered(Answer answer) implements Known {}

        /**
         * The command is accepted, but no response is stored: it is still on its way, or the engine
         * stopped before it stored the response.
         *
         * @param position the event position that includes the command
         * @param isOfWholeProject true if all users of the project share the key
         */
        record Done(long position, boolean isOfWholeProject) implements Known {}

        /** The key was used for another request. */
        record AnotherRequest() implements Known {}
    }

    /**
     * An HTTP response.
     *
     * @param headers the headers by name
     * @param body empty if there is none
     */
    record Answer(int status, Map<String, String> headers, String body) {

        public Answer {
            headers = Map.copyOf(headers);
        }

        public boolean isError() {
            return status >= 400;
        }
    }
}
