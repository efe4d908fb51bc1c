package org.leasehold.readmodel.audit;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.RequestOrigin;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.operation.ProjectionOffsets;
import org.leasehold.vocabulary.LeaseId;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The audit trail: events with user, time, origin, reason and cause, for auditors to search. */
public interface AuditTrail {

    /** The name of the read model behind it, for {@link ProjectionOffsets}. */
    String READ_MODEL = "audit";

    /** The project of events that belong to no lease. */
    String NO_PROJECT = "-";

    /**
     * Returns a page of matching events, newest first. A page may be short or empty although
     * another one follows: one page scans at most some thousand events.
     *
     * @throws UnknownMarker if no page gave the marker
     */
    Page<Entry> search(Search question);

    /** Returns the event at a position; empty if there is none. */
    Optional<Entry> find(long position);

    /**
     * Returns the events that a request caused, even indirectly, oldest first.
     *
     * @param requestId the request's id
     * @param limit the largest number of events
     */
    List<Entry> findCausedBy(String requestId, int limit);

    /**
     * Returns the resources that ever had a name, also retired ones.
     *
     * @param kind null for any
     */
    Set<ResourceId> findResourcesNamed(@Nullable ResourceKind kind, String name);

    /**
     * A search for events.
     *
     * @param filter the conditions on events
     * @param from the earliest time of recording, inclusive; null for the beginning
     * @param to the latest time of recording, exclusive; null for now
     * @param marker the end of the page before; null for the first
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
     * Conditions on events; null, each time, for any.
     *
     * @param lease events of this lease, and observations of its use
     * @param project events of leases of the project with this id; {@link #NO_PROJECT} for events
     *     of no lease
     * @param user events that the user with this id requested
     * @param resources events that name one of these resources; an empty set matches nothing
     * @param kind events of resources of this kind, of reservations of it, or of leases with such
     * @param type an event's name in the event catalog
     * @param requestId events that this request caused, even indirectly
     * @param addresses events from requests of one of these addresses, as long as those are stored
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
     * An event, and its origin.
     *
     * @param position its position in the event log
     * @param project the project of its lease; {@link #NO_PROJECT} if it has no lease
     * @param streamType the type of its stream
     * @param stream the id of its lease or resource
     * @param sequence its number in its stream, from 0
     * @param type its name in the event catalog
     * @param user the user who requested it; null for the engine's own events
     * @param actingFor the project that the user acted for; null for the engine's own events
     * @param roles the user's roles in that project
     * @param authentication the user's method of authentication, such as {@code basic}; {@code
     *     engine} for the engine's own events
     * @param requestId the request that caused it, even indirectly; null if there was none
     * @param origin the origin of that request; null if it came through no network, or the origin
     *     is no longer stored
     * @param causation the id of the event that led to it; null for a request from outside
     * @param reason the caller's own words; null when there were none
     * @param decidedAt the time of the decision
     * @param recordedAt the time at which the database stored it
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
