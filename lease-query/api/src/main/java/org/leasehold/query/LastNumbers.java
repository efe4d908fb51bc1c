package org.leasehold.query;

import org.leasehold.query.Feed.Audience;

import java.util.List;

/**
 * How far the numbers of each project go. Who has read the events elsewhere finds by them what is
 * missing at the very end, and whose events are missing altogether.
 */
public interface LastNumbers {

    /**
     * The last numbers that an audience may be told, all as of one position. They stand on what the
     * {@link Feed} stands on.
     */
    Standing toldTo(Audience audience);

    /**
     * The last numbers as they were at a position.
     *
     * @param position the events up to here count, and no others
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
     * @param project its id; {@code -} for what is of none
     * @param number how many events it has, as they are numbered from 1 without a gap
     */
    record LastNumber(String project, long number) {}
}
