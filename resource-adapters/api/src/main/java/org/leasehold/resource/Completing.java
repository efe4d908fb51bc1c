package org.leasehold.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.lease.ProjectId;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The part of a plugin that asks the cloud what a wish means, before anybody decides on it. What
 * the cloud says is kept with the wish: planning stays pure, and the cloud may say something else
 * later.
 */
public interface Completing {

    /** The names of the parameters that it adds. Nobody else may say them. */
    Set<String> added();

    /**
     * Completes a wish, or leaves one alone that planning refuses as it is. Changes nothing.
     *
     * @param asked what is asked for, or is to change; nothing of it is {@link #added()}
     * @param present the reservation's parameters where it is to change; nothing for a new one
     */
    Completion complete(
            Map<String, @Nullable Object> asked,
            Map<String, @Nullable Object> present,
            Asker asker);

    /**
     * Whose wish it is.
     *
     * @param project what the cloud does not show to it is not there
     * @param token by which the cloud can be asked as the user, in the project; null for none
     * @param request the id of the request with which it came
     */
    record Asker(ProjectId project, @Nullable String token, String request) {

        /** Logs must not hold tokens. */
        @Override
        public String toString() {
            return "Asker[" + project + "]";
        }
    }

    /** What became of a wish. */
    sealed interface Completion {

        /** All that was asked, with what the cloud says of it. */
        record Complete(Map<String, @Nullable Object> parameters) implements Completion {

            public Complete {
                parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
            }
        }

        /**
         * It names something that the cloud has not got.
         *
         * @param field the parameter at fault
         * @param message a sentence for the user; on {@code /v1} it is the error message
         */
        record NotFound(String field, String message) implements Completion {}

        /**
         * The cloud does not take it.
         *
         * @param field the parameter at fault
         * @param message a sentence for the user; on {@code /v1} it is the error message
         */
        record Refused(String field, String message) implements Completion {}

        /** The cloud did not answer. */
        record Unknown(Fault fault) implements Completion {}
    }
}
