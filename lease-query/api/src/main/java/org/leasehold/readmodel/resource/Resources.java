package org.leasehold.readmodel.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Queries for enrolled resources. */
public interface Resources {

    /** The largest number of values of a property in a {@link CountedProperty}. */
    int MAX_VALUES = 1000;

    Optional<ResourceView> find(ResourceId id);

    /** Returns all enrolled resources, by id; null returns every kind. */
    List<ResourceView> list(@Nullable ResourceKind kind);

    /** Returns the plain names of the capabilities that only administrators see. */
    Set<String> hiddenProperties(ResourceKind kind);

    /** Returns a part of the enrolled resources by id; the marker is the id of the last one. */
    Page<ResourceView> page(ListResources question);

    /** Returns a part of the holdings by resource; the marker is the last resource's id. */
    Page<ResourceCalendar> page(ListAllocations question);

    /**
     * Returns the holdings from {@code from} on, by resource, also for resources without a holder.
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

    /** Returns the capabilities of the resources of a kind, by name. */
    List<ResourceProperty> properties(ResourceKind kind);

    /**
     * Returns a page of the capabilities of the resources of a kind, by name.
     *
     * @throws UnknownMarker if no page of the same caller gave the marker
     */
    Page<CountedProperty> page(ListProperties question);

    /**
     * A query for resources.
     *
     * @param kind null for all kinds
     * @param name null for any
     * @param part the requested part of them
     */
    record ListResources(@Nullable ResourceKind kind, @Nullable String name, Part part) {}

    /**
     * A query for holdings.
     *
     * @param lease only holdings of this lease; null for any
     * @param reservation only holdings of this reservation; null for any
     * @param from only holdings that end after this instant
     * @param part the requested part of the resources
     */
    record ListAllocations(
            ResourceKind kind,
            @Nullable LeaseId lease,
            @Nullable ReservationId reservation,
            Instant from,
            Part part) {}

    /**
     * A query for capabilities.
     *
     * @param name null for any
     * @param hiddenToo whether to include those that only administrators see
     * @param marker the id of the last one of the page before; null for the first page
     */
    record ListProperties(
            ResourceKind kind,
            @Nullable String name,
            boolean hiddenToo,
            @Nullable String marker,
            int limit) {

        public ListProperties {
            if (limit < 1 || limit > 1000) {
                throw new IllegalArgumentException("a page has 1 to 1000 properties: " + limit);
            }
        }
    }

    /**
     * A part of a list by id.
     *
     * @param after the last resource of the part before; null for the first part
     * @param limit null for all of the rest
     */
    record Part(SortDirection direction, @Nullable ResourceId after, @Nullable Integer limit) {

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

    /**
     * A reservation's hold on a resource. The period starts with the lease, even if the reservation
     * got the resource later. It is without cleaning time.
     */
    record Holding(
            ReservationId reservation, LeaseId lease, ProjectId project, LeasePeriod period) {}

    /**
     * A capability's name, and its values among the resources.
     *
     * @param id the same for the life of the property
     * @param hidden whether only administrators see it
     * @param values distinct, in order
     * @param updatedAt the time of the last change of its visibility; null before
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

    /**
     * A capability with the number of resources of each value.
     *
     * @param property with at most {@link #MAX_VALUES} values
     * @param counts one for each of these values, in the same order
     * @param truncated whether there are more values
     */
    record CountedProperty(ResourceProperty property, List<ValueCount> counts, boolean truncated) {

        public CountedProperty {
            counts = List.copyOf(counts);
        }
    }

    /** The number of enrolled resources with a value, in service or not. */
    record ValueCount(String value, long count) {}
}
