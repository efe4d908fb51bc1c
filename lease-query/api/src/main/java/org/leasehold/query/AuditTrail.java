package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.RequestOrigin;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseId;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Who did what, when, from where, why and because of what: for auditors, who search in all of it.
 */
public interface AuditTrail {

    /** The read model that it stands on, for {@link Projections}. */
    String STANDS_ON = "audit";

    /** The project of what belongs to no lease. */
    String NOBODYS = "-";

    /**
     * A page of what was asked for, newest first. A page may have fewer events than it could, or
     * none, and be followed by another one: no more than some thousands are looked at for one page.
     *
     * @throws UnknownMarker if the marker is none that a page gave
     */
    Page<Entry> search(Search question);

    /** The event at a position; empty if there is none. */
    Optional<Entry> find(long position);

    /**
     * What happened because of a request, however indirectly, oldest first.
     *
     * @param requestId the request's name
     * @param limit how many events at most
     */
    List<Entry> because(String requestId, int limit);

    /**
     * The resources that ever had a name, also those that are retired.
     *
     * @param kind null for any
     */
    Set<ResourceId> named(@Nullable ResourceKind kind, String name);

    /**
     * Which events.
     *
     * @param filter what they have to be about
     * @param from when they were stored, at the earliest; null for the beginning
     * @param to before when they were stored; null for now
     * @param marker where the page before ended; null for the first
     * @param limit 1 to 1000
     */
    record Search(
            Filter filter,
            @Nullable Instant from,
            @Nullable Instant to,
            @Nullable String marker,
            int limit) {

        public Search {
            if (limit < 1 || limit > 1000) {
                throw new IllegalArgumentException("a page has 1 to 1000 events: " + limit);
            }
        }
    }

    /**
     * What events have to be about; null, each time, for anything.
     *
     * @param lease what happened to this lease, and what it was seen to use
     * @param project what happened to leases of the project with this id; {@link #NOBODYS} for what
     *     happened to none
     * @param user what the user with this id asked for
     * @param resources what names one of these resources; nothing does if there are none
     * @param kind what happened to resources of this kind, or to reservations of them, or to leases
     *     that have such
     * @param type an event's name in the event catalog
     * @param requestId what happened because of this request, however indirectly
     * @param addresses what happened because of requests from one of these, as long as that is kept
     */
    record Filter(
            @Nullable LeaseId lease,
            @Nullable String project,
            @Nullable String user,
            @Nullable Set<ResourceId> resources,
            @Nullable ResourceKind kind,
            @Nullable String type,
            @Nullable String requestId,
            @Nullable AddressRange addresses) {

        public Filter {
            resources = resources == null ? null : Set.copyOf(resources);
        }
    }

    /**
     * An event, and where it came from.
     *
     * @param position its place among all events
     * @param project the project of its lease; {@link #NOBODYS} where it is of none
     * @param streamType what sort of thing it happened to
     * @param stream the id of what it happened to
     * @param sequence its place among the events of its stream, from 0
     * @param type its name in the event catalog
     * @param user who asked for it; null for what the engine did by itself
     * @param actingFor the project that the user acted for; null for what the engine did by itself
     * @param roles those that the user had in that project
     * @param authentication how they proved who they are, such as {@code basic}; {@code engine} for
     *     what the engine did by itself
     * @param requestId the request because of which it happened, however indirectly; null if there
     *     was none
     * @param origin where that request came from; null if it came through no network, or that is
     *     not kept any more
     * @param causation the id of the event that led to it; null for what was asked from outside
     * @param reason the caller's own words; null when there were none
     * @param decidedAt when it happened
     * @param recordedAt when the database stored it
     * @param data its own fields as JSON
     */
    record Entry(
            long position,
            UUID id,
            String project,
            String streamType,
            String stream,
            long sequence,
            String type,
            @Nullable String user,
            @Nullable String actingFor,
            List<String> roles,
            @Nullable String authentication,
            @Nullable String requestId,
            @Nullable RequestOrigin origin,
            @Nullable String causation,
            @Nullable String reason,
            Instant decidedAt,
            Instant recordedAt,
            String data) {

        public Entry {
            roles = List.copyOf(roles);
        }
    }
}
