package org.leasehold.readmodel.event;

import org.leasehold.readmodel.event.EventFeed.Audience;

import java.util.List;

/**
 * The last event number of each project. A consumer of a copy compares them to find missing events
 * at the end, and missing projects.
 */
public interface LastEventNumbers {

    /**
     * Returns the last numbers that an audience may see, all as of one position. They come from the
     * read model of the {@link EventFeed}.
     */
    Standing findVisible(Audience audience);

    /**
     * The last numbers as of a position.
     *
     * @param position events up to this position count, and no others
     * @param projects in no particular order; those without an event are not among them
     */
    record Standing(long position, List<LastNumber> projects) {

        public Standing {
            projects = List.copyOf(projects);
        }
    }

    /**
     * The last number of a project.
     *
     * @param project its id; {@code -} for events of no project
     * @param number the number of its events, numbered from 1 without a gap
     */
    record LastNumber(String project, long number) {}
}
