package org.leasehold.readmodel.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.subscription.SubscriptionOutcome;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Calendar feeds of projects, readable with a secret. Only hashes of the secrets are stored. The
 * opening and closing of feeds is recorded for auditors.
 */
public interface CalendarFeeds {

    /** The largest number of open feeds of a project. */
    int MAX_PER_PROJECT = 20;

    /**
     * Opens a feed. A feed that is open already gets another secret, which replaces the one before.
     *
     * @param hash the hash of its secret; unique
     * @param by the user who opens it, for auditors
     */
    SubscriptionOutcome open(CalendarFeed feed, String hash, CommandContext by);

    /**
     * Returns the open feeds of a project, oldest first.
     *
     * @param marker the end of the page before; null for the first page
     * @param limit the largest number of feeds
     * @throws UnknownMarker if no page gave the marker
     */
    Page<CalendarFeed> list(ProjectId project, @Nullable String marker, int limit);

    /**
     * Closes a feed of a project; its secret is invalid from now on.
     *
     * @param user the user who must have opened it; null for any
     * @param by the user who closes it, for auditors
     * @return whether there was such a feed
     */
    boolean close(UUID id, ProjectId project, @Nullable UserId user, CommandContext by);

    /** Returns the open feed whose secret has this hash. */
    Optional<CalendarFeed> find(String hash);

    /**
     * Returns a number that grows with every event of a project's leases. A later read of the plan
     * includes all events that this number covers.
     */
    long version(ProjectId project);

    /**
     * Returns the planned leases of a project, past ones included, by start. A lease that was
     * deleted, or has no resources in the window, is left out.
     *
     * @param from leases that end before or at this instant are left out
     * @param to leases that start at this instant or later are left out
     * @param limit the largest number of leases
     */
    List<PlannedLease> planned(ProjectId project, Instant from, Instant to, int limit);

    /**
     * A feed.
     *
     * @param user the user who opened it
     * @param name the user's name for it; null for none
     */
    record CalendarFeed(
            UUID id, ProjectId project, UserId user, @Nullable String name, Instant createdAt) {}

    /**
     * A lease and its booked resources.
     *
     * @param starts the start of its first resource; inclusive
     * @param ends the end of its last resource, also if that was earlier than planned; exclusive
     * @param createdAt the time of its acceptance
     * @param changedAt the time of its last change, or of its acceptance
     * @param version the number of its events so far
     * @param places its resources by kind
     */
    record PlannedLease(
            LeaseId id,
            String name,
            LeaseStatus status,
            Instant starts,
            Instant ends,
            Instant createdAt,
            Instant changedAt,
            long version,
            List<Places> places) {

        public PlannedLease {
            places = List.copyOf(places);
        }
    }

    /**
     * Resources of one kind.
     *
     * @param count their number
     * @param resources the first {@link #MAX_LISTED_RESOURCES} of their numbers
     */
    record Places(ResourceKind kind, int count, List<Long> resources) {

        /** The largest number of resources that are listed by number. */
        public static final int MAX_LISTED_RESOURCES = 20;

        public Places {
            resources = List.copyOf(resources);
        }
    }
}
