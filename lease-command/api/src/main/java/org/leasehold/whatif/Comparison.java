package org.leasehold.whatif;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.LeaseId;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A comparison of the recorded past with a changed scenario.
 *
 * @param position the position of the last replayed event
 * @param events the number of replayed events
 * @param notReproduced the positions of decisions that came out differently in a replay of the
 *     unchanged scenario; they make the comparison less reliable
 * @param otherwise the decisions that came out differently in the changed scenario
 */
public record Comparison(
        long position,
        long events,
        Figures recorded,
        Figures changed,
        Found<Long> notReproduced,
        Found<Difference> otherwise) {

    /**
     * A total count, and the first items.
     *
     * @param count the number of all items
     */
    public record Found<T>(long count, List<T> first) {

        public Found {
            first = List.copyOf(first);
        }
    }

    /** The outcome of a request or of a change. */
    public enum Outcome {
        ACCEPTED,
        /** Accepted, with other resources. */
        ACCEPTED_ELSEWHERE,
        REFUSED,
        /** The requested window is longer than allowed. */
        FORBIDDEN,
        /** The request was not sent, or the lease did not exist any more. */
        NOT_ASKED,
        /** A start that differs: it found other resources, or none. */
        STARTED_OTHERWISE
    }

    /**
     * A decision that came out differently.
     *
     * @param position the position of the event with the recorded outcome
     */
    public record Difference(
            long position, LeaseId lease, Instant at, Outcome recorded, Outcome changed) {}

    /**
     * The figures of a scenario.
     *
     * @param kinds the figures by kind of resource
     * @param weeks the weeks from the start of the window; the last one may be shorter
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

        /** Returns the same figures with other waiting times of refused requests. */
        public Figures waiting(Waiting others) {
            return new Figures(requests, changes, others, kinds, weeks);
        }
    }

    /** The figures of a part of the window. */
    public record Week(Instant starts, Instant ends, SortedMap<ResourceKind, Hours> kinds) {

        public Week {
            kinds = Collections.unmodifiableSortedMap(new TreeMap<>(kinds));
        }
    }

    /**
     * Decisions within the window.
     *
     * @param forbidden the number of requests that were longer than allowed
     */
    public record Requests(long accepted, long refused, long forbidden) {

        public long all() {
            return accepted + refused + forbidden;
        }
    }

    /**
     * The delay after which refused requests could have begun, by the calendar of that moment.
     *
     * @param opened the number that could have begun within thirty days
     * @param never the number that could not
     * @param mean the mean delay of those that could; null if there are none
     * @param longest the longest delay of those that could; null if there are none
     */
    public record Waiting(
            long opened, long never, @Nullable Duration mean, @Nullable Duration longest) {}

    /**
     * Resource hours within a window.
     *
     * @param enrolled the hours of resources that were not retired
     * @param reservable the part of {@code enrolled} that was in service
     * @param reserved the hours that leases reserved
     * @param lost the part of {@code reserved} on resources that this scenario has lost
     * @param refused the requested hours that the calendar could not hold
     * @param forbidden the requested hours of requests that were longer than allowed
     */
    public record Hours(
            BigDecimal enrolled,
            BigDecimal reservable,
            BigDecimal reserved,
            BigDecimal lost,
            BigDecimal refused,
            BigDecimal forbidden) {

        /** Returns reserved minus lost hours per reservable hour; null without the latter. */
        public @Nullable BigDecimal utilisation() {
            return reservable.signum() == 0
                    ? null
                    : reserved.subtract(lost).divide(reservable, 4, RoundingMode.HALF_EVEN);
        }
    }
}
