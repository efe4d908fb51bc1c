package org.leasehold.publishing;

import org.leasehold.query.Feed.Audience;

import java.util.Set;

/**
 * Which events are published, and how many before a note is taken.
 *
 * @param audience what may be told
 * @param types names in the event catalog; none for all
 * @param atOnce so many are read and sent well within the time that a publication is held for; at
 *     most so many are told once more
 */
public record Choice(Audience audience, Set<String> types, int atOnce) {

    public Choice {
        types = Set.copyOf(types);
        if (atOnce < 1) {
            throw new IllegalArgumentException("at least one event at once: " + atOnce);
        }
    }
}
