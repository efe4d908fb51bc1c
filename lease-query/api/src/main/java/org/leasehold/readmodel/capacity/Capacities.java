package org.leasehold.readmodel.capacity;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.operation.ProjectionOffsets;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The capacity of a kind of resources, and its use, at any time.
 *
 * <p>Amounts are resources. A share of a resource counts as its part of the resource's {@code
 * VCPU}. If it takes none, it counts as its part of the first resource class by name that it takes.
 */
public interface Capacities {

    /** The name of the read model behind it, for {@link ProjectionOffsets}. */
    String READ_MODEL = "capacity";

    /** The unit of buckets. */
    Duration BUCKET_UNIT = Duration.ofHours(1);

    /** The largest number of buckets of a series. */
    int MAX_BUCKETS = 10_000;

    /** The largest number of buckets of all series together. */
    int MAX_TOTAL_BUCKETS = 50_000;

    /**
     * Returns one series for each value of {@link AskCapacity#by}, ordered by value.
     *
     * @throws TooManySeries if they have too many buckets together
     */
    List<Series> findSeries(AskCapacity question);

    /** Returns the capacity at an instant, one for each kind that ever had resources, by name. */
    List<Standing> capacityAt(Instant at);

    /** Returns the number of buckets of a window; the last one may be shorter. */
    static long countBuckets(Instant from, Instant to, Duration bucket) {
        return Duration.between(from, to).plus(bucket).minusNanos(1).dividedBy(bucket);
    }

    /**
     * A query for capacity.
     *
     * @param zone an availability zone; null for all
     * @param requirement the required properties, as operators set them
     * @param by splits the series: {@code zone}, or the name of a property; null for one series
     * @param from on the hour, in UTC
     * @param to on the hour, in UTC, and after {@code from}
     * @param bucket whole hours; the last bucket may be shorter
     * @param wanted fewer free resources than these are a shortage; at least 1
     * @param asOf the position of the last event to include; null for what is known now
     */
    record AskCapacity(
            ResourceKind kind,
            @Nullable String zone,
            Requirement requirement,
            @Nullable String by,
            Instant from,
            Instant to,
            Duration bucket,
            int wanted,
            @Nullable Long asOf) {

        public AskCapacity {
            if (!from.isBefore(to) || !isWhole(from) || !isWhole(to)) {
                throw new IllegalArgumentException("no whole hours: from " + from + " to " + to);
            }
            if (!bucket.isPositive()
                    || bucket.toMillis() % BUCKET_UNIT.toMillis() != 0
                    || countBuckets(from, to, bucket) > MAX_BUCKETS) {
                throw new IllegalArgumentException("no bucket: " + bucket);
            }
        }

        private static boolean isWhole(Instant instant) {
            return instant.getNano() == 0
                    && instant.getEpochSecond() % BUCKET_UNIT.toSeconds() == 0;
        }

        /** Returns whether the query distinguishes resources by more than their kind. */
        public boolean isRestricted() {
            return by != null || isFiltered();
        }

        /** Returns whether the query selects only a part of the kind's resources. */
        public boolean isFiltered() {
            return zone != null || !requirement.equals(Requirement.none());
        }
    }

    /**
     * A series of amounts for some resources.
     *
     * @param value their common value; null if they lack it, if the query has no dimension, and for
     *     refused requests of no certain value
     * @param buckets in the order of time
     * @param mostReserved the first instant in the window with the largest reserved amount
     * @param leastHeadroom the first instant in the window with the least headroom
     * @param shortage the first instant in the window with less headroom than wanted; null if there
     *     is none
     */
    record Series(
            @Nullable String value,
            List<Bucket> buckets,
            Extreme mostReserved,
            Extreme leastHeadroom,
            @Nullable Extreme shortage) {

        public Series {
            buckets = List.copyOf(buckets);
        }
    }

    /** The rejection of a query whose dimension has too many values. */
    final class TooManySeries extends RuntimeException {

        private static final long serialVersionUID = 1L;

        /** Creates the exception with the largest possible number of values. */
        public TooManySeries(int max) {
            super("there are more than %s values".formatted(max));
        }
    }

    /**
     * The capacity of a kind, in resources; for the terms see {@link Bucket}.
     *
     * @param active leases in the future do not count unless they have begun
     */
    record Standing(
            ResourceKind kind,
            BigDecimal enrolled,
            BigDecimal reservable,
            BigDecimal reserved,
            BigDecimal active) {}

    /** An amount at an instant, in resources. */
    record Extreme(Instant at, BigDecimal amount) {}

    /**
     * The averages over a part of the window, in resources.
     *
     * @param enrolled not retired
     * @param reservable enrolled, and in service
     * @param reserved promised to leases
     * @param active promised, and given by the cloud; in the future only for leases that have begun
     * @param idle given as a whole, and observed to run nothing; the last observation stays valid
     * @param refused requested and refused, in whole resources or slots of the requested size. Each
     *     request counts each time. Only those count that no other resources could have served, by
     *     their requirements
     */
    record Bucket(
            Instant starts,
            Instant ends,
            BigDecimal enrolled,
            BigDecimal reservable,
            BigDecimal reserved,
            BigDecimal active,
            BigDecimal idle,
            BigDecimal refused) {

        /** Returns the free amount; negative if reserved resources are out of service. */
        public BigDecimal headroom() {
            return reservable.subtract(reserved);
        }
    }
}
