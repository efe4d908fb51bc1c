package org.leasehold.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.vocabulary.ProjectId;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The part of a plug-in that queries the cloud for the meaning of a request, before the engine
 * decides on it. The engine stores the answer with the request: planning stays pure, and the
 * cloud's answer may change later.
 */
public interface RequestCompleter {

    /** Returns the names of the parameters that it adds. Callers must not set them. */
    Set<String> addedParameters();

    /**
     * Completes a request, or returns it unchanged if planning rejects it anyway. Changes nothing.
     *
     * @param asked the parameters or changes of the request; none of them is {@link
     *     #addedParameters()}
     * @param present the reservation's parameters if it is to change; empty for a new one
     */
    Completion complete(
            Map<String, @Nullable Object> asked,
            Map<String, @Nullable Object> present,
            Asker asker);

    /**
     * The caller of a request.
     *
     * @param project what the cloud hides from it does not exist
     * @param token of the user in the project, for queries to the cloud; null for none
     * @param request the id of the HTTP request
     */
    record Asker(ProjectId project, @Nullable String token, String request) {

        /** Omits the token, because logs must not hold tokens. */
        @Override
        public String toString() {
            return "Asker[" + project + "]";
        }
    }

    /** The result of the completion of a request. */
    sealed interface Completion {

        /** All requested parameters, with what the cloud says about them. */
        record Complete(Map<String, @Nullable Object> parameters) implements Completion {

            public Complete {
                parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
            }
        }

        /**
         * A request that names something that the cloud does not have.
         *
         * @param field the parameter at fault
         * @param message a sentence for the user; on {@code /v1} it is the error message
         */
        record NotFound(String field, String message) implements Completion {}

        /**
         * A request that the cloud rejects.
         *
         * @param field the parameter at fault
         * @param message a sentence for the user; on {@code /v1} it is the error message
         */
        record Refused(String field, String message) implements Completion {}

        /** A failed completion: the cloud did not respond. */
        record Unknown(Fault fault) implements Completion {}
    }
}
