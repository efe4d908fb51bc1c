package org.leasehold.publishing;

import org.leasehold.readmodel.event.EventFeed.Audience;

import java.util.Set;

/**
 * The events of a publication, and the size of its batches.
 *
 * @param audience the audience, which determines the permitted content
 * @param types names in the event catalog; none for all
 * @param atOnce the maximum number of events in a batch. They are read and sent well within the
 *     time for which a publication is owned; at most so many are sent again
 */
public record EventFilter(Audience audience, Set<String> types, int atOnce) {

    public EventFilter {
        types = Set.copyOf(types);
        if (atOnce < 1) {
            throw new IllegalArgumentException("at least one event at once: " + atOnce);
        }
    }
}
