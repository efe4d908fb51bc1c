package org.leasehold.command;

import org.leasehold.command.CommandContext.Idempotency;

import java.time.Instant;
import java.util.Map;

/**
 * Answers to requests with an idempotency key, kept for as long as their keys. A request that is
 * repeated gets the answer that it got first, whatever has changed since.
 */
public interface KeptAnswers {

    /** Returns what became of the request that a key names. */
    Known find(Idempotency key, Instant now);

    /**
     * Keeps the first answer to a request.
     *
     * @return whether it is the first one. It is not if another answer is kept already, nor if it
     *     is an error although a command of the request was accepted
     */
    boolean keep(Idempotency key, Answer answer, Instant now);

    /** What is known of a request. */
    sealed interface Known {

        /** Nobody has sent it, or its key is forgotten. */
        record Nothing() implements Known {}

        /** It is answered. */
        record Answered(Answer answer) implements Known {}

        /**
         * Its command is accepted, and no answer is kept: it is on its way, or the engine stopped
         * before it could keep it.
         *
         * @param position the event position that includes the command
         * @param isOfWholeProject whether the key is one that all users of the project share
         */
        record Done(long position, boolean isOfWholeProject) implements Known {}

        /** The key was used for another request. */
        record AnotherRequest() implements Known {}
    }

    /**
     * An answer, as HTTP has it.
     *
     * @param headers by name
     * @param body empty when there is none
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
