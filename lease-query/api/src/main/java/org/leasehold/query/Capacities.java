package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How much there is of a kind of resources, and how much of that is taken, at any time.
 *
 * <p>Amounts are resources. A share of one counts as the part that it takes of the resource's
 * {@code VCPU}, or, where it takes none, of the first resource class by name that it takes
 * something of.
 */
public interface Capacities {

    /** The read model that it stands on, for {@link Projections}. */
    String STANDS_ON = "capacity";

    /** What buckets are made of. */
    Duration HOUR = Duration.ofHours(1);

    /** How many buckets a series can have. */
    int MOST_BUCKETS = 10_000;

    /** How many all series can have together. */
    int MOST_TOGETHER = 50_000;

    /**
     * One series for each value of {@link AskCapacity#by}, in the order of values.
     *
     * @throws TooManySeries if they have more buckets together than can be told
     */
    List<Series> tell(AskCapacity question);

    /**
     * What there is at an instant, one for each kind of which there ever was something, by name.
     */
    List<Standing> standing(Instant at);

    /** How many buckets a window has; the last one may be shorter. */
    static long buckets(Instant from, Instant to, Duration bucket) {
        return Duration.between(from, to).plus(bucket).minusNanos(1).dividedBy(bucket);
    }

    /**
     * What to tell.
     *
     * @param zone an availability zone; null for all
     * @param requirement what the properties must be that operators gave the resources
     * @param by tells resources apart: {@code zone}, or the name of a property; null for one series
     * @param from on the hour, in UTC
     * @param to on the hour, in UTC, and after {@code from}
     * @param bucket whole hours; the last bucket may be shorter
     * @param wanted how many resources are a shortage if they are not left; at least 1
     * @param asOf the position of the event up to which all was known; null for what is known now
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
                    || bucket.toMillis() % HOUR.toMillis() != 0
                    || buckets(from, to, bucket) > MOST_BUCKETS) {
                throw new IllegalArgumentException("no bucket: " + bucket);
            }
        }

        private static boolean isWhole(Instant instant) {
            return instant.getNano() == 0 && instant.getEpochSecond() % HOUR.toSeconds() == 0;
        }

        /** Whether resources are told apart by more than their kind. */
        public boolean isOfSome() {
            return by != null || isFiltered();
        }

        /** Whether not all resources of the kind are meant. */
        public boolean isFiltered() {
            return zone != null || !requirement.equals(Requirement.none());
        }
    }

    /**
     * What some resources come to.
     *
     * @param value what they have in common; null where they lack it, or nothing was asked for, and
     *     for what was refused of no certain value
     * @param buckets in the order of time
     * @param mostReserved when for the first time in the window the most was reserved
     * @param leastHeadroom when for the first time in the window the least was left
     * @param shortage when for the first time in the window less was left than wanted; null if
     *     never
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

    /** There are too many values by which resources were to be told apart. */
    final class TooManySeries extends RuntimeException {

        private static final long serialVersionUID = 1L;

        /** With so many, for what was asked for. */
        public TooManySeries(int most) {
            super("there are more than %s values".formatted(most));
        }
    }

    /**
     * What there is of a kind, in resources; of the words see {@link Bucket}.
     *
     * @param active of what is to come nothing, unless it has begun
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
     * @param active promised, and given by the cloud; of what is to come as far as it has begun
     * @param idle given as a whole, and seen to run nothing; what was seen last counts on
     * @param refused what was asked for and refused, in whole resources or slots of the size asked
     *     for, each as often as it was asked for: what no other resources than these could have
     *     served, by what was required of them
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

        /** Less than nothing where what is reserved is out of service. */
        public BigDecimal headroom() {
            return reservable.subtract(reserved);
        }
    }
}
