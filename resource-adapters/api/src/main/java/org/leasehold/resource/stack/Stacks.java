package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Completing.Asker;

import java.util.List;
import java.util.Map;

/** The stacks of a cloud, made and to be made. Changes nothing. */
public interface Stacks {

    /**
     * Looks at what a template would make, with all that is nested in it.
     *
     * @param wish with the template and what belongs to it, as {@link Template#request} reads it
     */
    Search preview(Map<String, @Nullable Object> wish, Asker asker);

    /** Looks for a stack of the project's. */
    Search find(String id, Asker asker);

    /** What was found. */
    sealed interface Search {

        /**
         * A stack.
         *
         * @param name what it is called; empty where it is yet to be made
         * @param parts what of it takes something of the calendar
         * @param policies what the metadata of its resources say of their end, by their names
         */
        record Found(String name, List<Part> parts, Map<String, String> policies)
                implements Search {

            public Found {
                parts = List.copyOf(parts);
                policies = Map.copyOf(policies);
            }
        }

        /** There is none, or it is another project's. */
        record NotFound() implements Search {}

        /**
         * It cannot be made, or what it takes is not to be known.
         *
         * @param message a sentence for the user
         */
        record Refused(String message) implements Search {}

        /** The cloud did not answer. */
        record Unknown(Fault fault) implements Search {}
    }
}
