package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Questions about enrolled resources. */
public interface Resources {

    Optional<ResourceView> find(ResourceId id);

    /** All enrolled resources, by id; null asks for every kind. */
    List<ResourceView> list(@Nullable ResourceKind kind);

    /** The plain names of the capabilities that only administrators see. */
    Set<String> hiddenProperties(ResourceKind kind);

    /** Enrolled resources by id, or a part of them; the marker is the id of the last one. */
    Page<ResourceView> page(ListResources question);

    /** Who holds what, resource by resource, or a part of that; the marker is as above. */
    Page<ResourceCalendar> page(ListAllocations question);

    /**
     * Who holds what from {@code from} on; a resource that nobody holds is listed with no holdings.
     *
     * @param resource null for all of the kind
     * @param lease only holdings of this lease; null for any
     * @param reservation only holdings of this reservation; null for any
     */
    List<ResourceCalendar> allocations(
            ResourceKind kind,
            @Nullable ResourceId resource,
            @Nullable LeaseId lease,
            @Nullable ReservationId reservation,
            Instant from);

    /** The capabilities that resources of a kind have, by name. */
    List<ResourceProperty> properties(ResourceKind kind);

    /**
     * Which resources to list.
     *
     * @param name null for any
     * @param part which part of them
     */
    record ListResources(ResourceKind kind, @Nullable String name, Part part) {}

    /**
     * Whose holdings to list.
     *
     * @param lease only holdings of this lease; null for any
     * @param reservation only holdings of this reservation; null for any
     * @param from when they have to reach into
     * @param part of which resources
     */
    record ListAllocations(
            ResourceKind kind,
            @Nullable LeaseId lease,
            @Nullable ReservationId reservation,
            Instant from,
            Part part) {}

    /**
     * A part of a list by id.
     *
     * @param after the last resource of the part before; null for the first part
     * @param limit null for all of the rest
     */
    record Part(Direction direction, @Nullable ResourceId after, @Nullable Integer limit) {

        public Part {
            if (limit != null && (limit < 1 || limit > 1000)) {
                throw new IllegalArgumentException("a part has 1 to 1000 resources: " + limit);
            }
        }
    }

    /** The holdings of one resource, by start. */
    record ResourceCalendar(ResourceId resource, String name, List<Holding> holdings) {

        public ResourceCalendar {
            holdings = List.copyOf(holdings);
        }
    }

    /** A reservation's hold on a resource; the period is without cleaning. */
    record Holding(
            ReservationId reservation, LeaseId lease, ProjectId project, LeasePeriod period) {}

    /**
     * A capability's name and the values that resources have of it.
     *
     * @param id the same for the life of the property
     * @param hidden whether only administrators see it
     * @param values distinct, in order
     * @param updatedAt when its visibility last changed; null before
     */
    record ResourceProperty(
            UUID id,
            ResourceKind kind,
            String name,
            boolean hidden,
            List<String> values,
            Instant createdAt,
            @Nullable Instant updatedAt) {

        public ResourceProperty {
            values = List.copyOf(values);
        }
    }
}
