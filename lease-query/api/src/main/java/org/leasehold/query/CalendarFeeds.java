package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.UserId;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Calendars of projects for whoever knows a secret. Nobody keeps the secrets: what is kept is what
 * they hash to. Who opens and ends them auditors are told.
 */
public interface CalendarFeeds {

    /** How many a project may have at once. */
    int MOST = 20;

    /**
     * Opens a feed. One that is open already gets another secret, in place of the one before.
     *
     * @param hash of its secret; nobody else's
     * @param by who opens it, for auditors
     */
    SubscriptionOutcome open(CalendarFeed feed, String hash, CommandContext by);

    /** The open feeds of a project, oldest first. */
    List<CalendarFeed> of(ProjectId project);

    /**
     * Ends a feed of a project: from now on its secret is none.
     *
     * @param user only if this one opened it; null for whoever did
     * @param by who ends it, for auditors
     * @return whether there was such a feed
     */
    boolean close(UUID id, ProjectId project, @Nullable UserId user, CommandContext by);

    /** The open feed whose secret has this hash. */
    Optional<CalendarFeed> find(String hash);

    /**
     * A number that grows with everything that happens to a project's leases. What is planned now
     * includes what this number stands for.
     */
    long version(ProjectId project);

    /**
     * What is planned of a project's leases, or was, by start. A lease that has been deleted, or
     * has no resources in the window, is left out.
     *
     * @param from what ends before or at this instant is left out
     * @param to what starts at this instant or later is left out
     * @param limit how many leases at most
     */
    List<PlannedLease> planned(ProjectId project, Instant from, Instant to, int limit);

    /**
     * A feed.
     *
     * @param user who opened it
     * @param name what they call it; null for nothing
     */
    record CalendarFeed(
            UUID id, ProjectId project, UserId user, @Nullable String name, Instant createdAt) {}

    /**
     * A lease and what it is promised.
     *
     * @param starts the first of its resources; inclusive
     * @param ends the last of them, also if that was earlier than planned; exclusive
     * @param createdAt when it was accepted
     * @param changedAt when it last changed, or was accepted
     * @param version the number of its events so far
     * @param places by kind
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
     * @param count how many
     * @param resources the first {@link #NAMED} of their numbers
     */
    record Places(ResourceKind kind, int count, List<Long> resources) {

        /** How many are told by number. */
        public static final int NAMED = 20;

        public Places {
            resources = List.copyOf(resources);
        }
    }
}
