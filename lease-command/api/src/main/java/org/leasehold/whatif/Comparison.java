package org.leasehold.whatif;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseId;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was, and what would have been.
 *
 * @param position the last event that was replayed
 * @param events how many were
 * @param notReproduced the positions of those decisions that came out otherwise in a replay of the
 *     world as it was, by which the comparison is the less reliable
 * @param otherwise what came out otherwise in the other world
 */
public record Comparison(
        long position,
        long events,
        Figures recorded,
        Figures changed,
        Found<Long> notReproduced,
        Found<Difference> otherwise) {

    /**
     * As many as there are, and the first of them.
     *
     * @param count of all
     */
    public record Found<T>(long count, List<T> first) {

        public Found {
            first = List.copyOf(first);
        }
    }

    /** What may become of a request or of a change. */
    public enum Outcome {
        ACCEPTED,
        /** It was accepted, and has other resources. */
        ACCEPTED_ELSEWHERE,
        REFUSED,
        /** It was asked for longer than is allowed. */
        FORBIDDEN,
        /** Nobody asked, or the lease was not there any more. */
        NOT_ASKED,
        /** A start that was not what it was: it found other resources, or none. */
        STARTED_OTHERWISE
    }

    /**
     * A decision that came out otherwise.
     *
     * @param position of the event that tells how it came out
     */
    public record Difference(
            long position, LeaseId lease, Instant at, Outcome recorded, Outcome changed) {}

    /**
     * What a world comes to.
     *
     * @param kinds by the kind of the resources
     * @param weeks from the beginning of the window on, the last of which may be shorter
     */
    public record Figures(
            Requests requests,
            Requests changes,
            Waiting waiting,
            SortedMap<ResourceKind, Hours> kinds,
            List<Week> weeks) {

        public Figures {
            kinds = Collections.unmodifiableSortedMap(new TreeMap<>(kinds));
            weeks = List.copyOf(weeks);
        }

        /** The same figures, but for how long those wait who were refused. */
        public Figures waiting(Waiting others) {
            return new Figures(requests, changes, others, kinds, weeks);
        }
    }

    /** Those of a window. */
    public record Week(Instant starts, Instant ends, SortedMap<ResourceKind, Hours> kinds) {

        public Week {
            kinds = Collections.unmodifiableSortedMap(new TreeMap<>(kinds));
        }
    }

    /**
     * Decisions within the window.
     *
     * @param forbidden those that were for longer than is allowed
     */
    public record Requests(long accepted, long refused, long forbidden) {

        public long all() {
            return accepted + refused + forbidden;
        }
    }

    /**
     * How much later than wished those could have begun that were refused, by the calendar of that
     * moment.
     *
     * @param opened how many could have within thirty days
     * @param never how many could not
     * @param mean of those that could; null if there are none
     * @param longest likewise
     */
    public record Waiting(
            long opened, long never, @Nullable Duration mean, @Nullable Duration longest) {}

    /**
     * Resources times hours within a window.
     *
     * @param enrolled what was not retired
     * @param reservable what of that was in service
     * @param reserved what was promised to leases
     * @param lost what of that was promised on resources that this world has lost
     * @param refused what was asked for and could not be held
     * @param forbidden what was asked for longer than is allowed
     */
    public record Hours(
            BigDecimal enrolled,
            BigDecimal reservable,
            BigDecimal reserved,
            BigDecimal lost,
            BigDecimal refused,
            BigDecimal forbidden) {

        /** What was promised and not lost, of what was in service; null where nothing was. */
        public @Nullable BigDecimal utilisation() {
            return reservable.signum() == 0
                    ? null
                    : reserved.subtract(lost).divide(reservable, 4, RoundingMode.HALF_EVEN);
        }
    }
}
