package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.resource.RequestCompleter.Asker;

import java.util.List;
import java.util.Map;

/** The stacks of a cloud, existing and future. Changes nothing. */
public interface Stacks {

    /**
     * Previews the resources that a template would create, with all nested stacks.
     *
     * @param wish the request, with the template and more, as {@link Template#request} reads it
     */
    Search preview(Map<String, @Nullable Object> wish, Asker asker);

    /** Looks up a stack of the project. */
    Search find(String id, Asker asker);

    /** The result of a search. */
    sealed interface Search {

        /**
         * A stack.
         *
         * @param name the stack's name; empty if it does not exist yet
         * @param parts its resources that need something from the calendar
         * @param policies the end policies in the metadata of its resources, by their names
         */
        record Found(String name, List<StackComponent> parts, Map<String, String> policies)
                implements Search {

            public Found {
                parts = List.copyOf(parts);
                policies = Map.copyOf(policies);
            }
        }

        /** A stack that does not exist, or is another project's. */
        record NotFound() implements Search {}

        /**
         * A stack that cannot be created, or whose needs are unknown.
         *
         * @param message a sentence for the user
         */
        record Refused(String message) implements Search {}

        /** A failed search: the cloud did not respond. */
        record Unknown(Fault fault) implements Search {}
    }
}
