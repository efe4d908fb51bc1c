package org.leasehold.query.capacity.projection;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.UseObserved;
import org.leasehold.query.booking.AllocationPeriod;
import org.leasehold.readmodel.capacity.Capacities.AskCapacity;
import org.leasehold.readmodel.capacity.Capacities.Bucket;
import org.leasehold.readmodel.capacity.Capacities.Extreme;
import org.leasehold.readmodel.capacity.Capacities.Series;
import org.leasehold.vocabulary.Share;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** The capacity of a series in each minute, computed from its members and what they hold. */
record CapacityMinutes(
        AskCapacity question,
        List<PoolMember> members,
        List<AllocationPeriod> stretches,
        List<RecordedEvent> looks,
        List<LeaseRefused> refusals) {

    Series series(@Nullable String value) {
        List<Bucket> buckets = new ArrayList<>();
        for (Instant starts = question.from();
                starts.isBefore(question.to());
                starts = starts.plus(question.bucket())) {
            Instant ends = starts.plus(question.bucket());
            ends = ends.isAfter(question.to()) ? question.to() : ends;
            buckets.add(
                    new Bucket(
                            starts,
                            ends,
                            average(starts, ends, this::enrolled),
                            average(starts, ends, this::reservable),
                            average(starts, ends, this::reserved),
                            average(starts, ends, this::active),
                            average(starts, ends, this::idle),
                            average(starts, ends, this::refused)));
        }
        Extreme maxReserved = extreme(at -> -reserved(at), Long.MAX_VALUE);
        return new Series(
                value,
                buckets,
                new Extreme(maxReserved.at(), maxReserved.amount().negate()),
                extreme(at -> reservable(at) - reserved(at), Long.MAX_VALUE),
                shortage());
    }

    private BigDecimal average(Instant starts, Instant ends, ToLongFunction<Instant> amount) {
        long sum = 0;
        for (Instant at = starts; at.isBefore(ends); at = at.plusSeconds(60)) {
            sum += amount.applyAsLong(at);
        }
        return BigDecimal.valueOf(sum, 6)
                .divide(
                        BigDecimal.valueOf(Duration.between(starts, ends).toMinutes()),
                        6,
                        RoundingMode.HALF_UP);
    }

    private Extreme extreme(ToLongFunction<Instant> amount, long worst) {
        Instant when = question.from();
        long least = worst;
        for (Instant at = question.from(); at.isBefore(question.to()); at = at.plusSeconds(60)) {
            if (amount.applyAsLong(at) < least) {
                least = amount.applyAsLong(at);
                when = at;
            }
        }
        return new Extreme(when, BigDecimal.valueOf(least, 6));
    }

    private @Nullable Extreme shortage() {
        for (Instant at = question.from(); at.isBefore(question.to()); at = at.plusSeconds(60)) {
            long left = reservable(at) - reserved(at);
            if (left < 1_000_000L * question.wanted()) {
                return new Extreme(at, BigDecimal.valueOf(left, 6));
            }
        }
        return null;
    }

    private static boolean covers(Instant starts, @Nullable Instant ends, Instant at) {
        return !starts.isAfter(at) && (ends == null || ends.isAfter(at));
    }

    private long enrolled(Instant at) {
        return 1_000_000
                * members.stream().filter(each -> covers(each.starts(), each.ends(), at)).count();
    }

    private long reservable(Instant at) {
        return 1_000_000
                * members.stream()
                        .filter(each -> each.reservable())
                        .filter(each -> covers(each.starts(), each.ends(), at))
                        .count();
    }

    private long reserved(Instant at) {
        return taken(at, AllocationPeriod::slots);
    }

    private long active(Instant at) {
        return taken(at, stretch -> Math.min(stretch.slots(), stretch.given()));
    }

    private long idle(Instant at) {
        return taken(
                at,
                stretch ->
                        stretch.promised() != null
                                        && stretch.promised().share() == null
                                        && isEmpty(stretch, at)
                                ? Math.min(stretch.slots(), stretch.given())
                                : 0);
    }

    /** Returns whether it was idle by the last recorded observation up to then. */
    private boolean isEmpty(AllocationPeriod stretch, Instant at) {
        boolean empty = false;
        for (RecordedEvent look : looks) {
            UseObserved seen = (UseObserved) look.event();
            if (seen.reservationId().equals(stretch.reservation())
                    && seen.resourceId().equals(stretch.resource())
                    && !look.decidedAt().isAfter(at)) {
                empty = seen.servers() == 0;
            }
        }
        return empty;
    }

    private long taken(Instant at, ToLongFunction<AllocationPeriod> slots) {
        long taken = 0;
        for (AllocationPeriod stretch : stretches) {
            for (PoolMember member : members) {
                if (member.resource().equals(stretch.resource())
                        && covers(stretch.starts(), stretch.ends(), at)
                        && covers(member.starts(), member.ends(), at)) {
                    taken += part(stretch, slots.applyAsLong(stretch), member);
                }
            }
        }
        return taken;
    }

    private static long part(AllocationPeriod stretch, long slots, PoolMember member) {
        if (slots == 0 || stretch.promised() == null) {
            return 0;
        }
        Share share = stretch.promised().share();
        return share == null
                ? 1_000_000
                : Math.min(
                        1_000_000,
                        slots * 4 * 1_000_000 / member.totals().getOrDefault("VCPU", 1L));
    }

    private long refused(Instant at) {
        return 1_000_000
                * refusals.stream()
                        .filter(each -> covers(each.period().start(), each.period().end(), at))
                        .mapToLong(each -> each.shortages().getFirst().wanted())
                        .sum();
    }
}
