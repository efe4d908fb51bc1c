package org.leasehold.query.booking;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;

/** A reservation's use of one resource, at all times. */
final class AllocationTimeline {

    private final Timeline<Allocation> promised = new Timeline<>();
    private final Timeline<Integer> givenSlots = new Timeline<>();
    private final Timeline<Integer> heldSlots = new Timeline<>();
    private final Timeline<Boolean> down = new Timeline<>();

    void promise(Instant at, Instant start, Instant end, Allocation allocation) {
        promised.setDuring(at, start, end, allocation);
    }

    /** Moves the promise of another resource to this one from now on. */
    void replace(Instant at, AllocationTimeline other, Allocation allocation) {
        promised.copyFrom(at, other.promised, allocation);
        other.withdraw(at);
    }

    /** Ends the promise and the use: the project no longer has the resource. */
    void withdraw(Instant at) {
        promised.setFrom(at, null);
        setGivenSlots(at, 0);
        // No later event reports the recovery to a reservation that no longer has it.
        markUp(at);
    }

    void setGivenSlots(Instant at, int slots) {
        setIfChanged(givenSlots, at, slots, 0);
    }

    void setHeldSlots(Instant at, int slots) {
        setIfChanged(heldSlots, at, slots, 0);
    }

    /** Marks the resource as down: nothing of it is given until it is regained. */
    void markDown(Instant at) {
        setIfChanged(down, at, true, false);
    }

    void markUp(Instant at) {
        setIfChanged(down, at, false, false);
    }

    /** Sets a value unless the last one equals it: a stalled node may repeat an event. */
    private static <T> void setIfChanged(Timeline<T> timeline, Instant at, T value, T before) {
        if (!Objects.requireNonNullElse(timeline.last(), before).equals(value)) {
            timeline.setFrom(at, value);
        }
    }

    private int givenSlotsAt(Instant at) {
        return Boolean.TRUE.equals(down.at(at))
                ? 0
                : Objects.requireNonNullElse(givenSlots.at(at), 0);
    }

    List<AllocationPeriod> periods(ReservationId reservation, ResourceId resource) {
        NavigableSet<Instant> changes = new TreeSet<>(promised.changes());
        changes.addAll(givenSlots.changes());
        changes.addAll(heldSlots.changes());
        changes.addAll(down.changes());
        List<AllocationPeriod> stretches = new ArrayList<>();
        for (Instant starts : changes) {
            Instant next = changes.higher(starts);
            add(
                    new AllocationPeriod(
                            reservation,
                            resource,
                            starts,
                            next == null ? Instant.MAX : next,
                            promised.at(starts),
                            givenSlotsAt(starts),
                            Objects.requireNonNullElse(heldSlots.at(starts), 0)),
                    stretches);
        }
        return stretches;
    }

    private static void add(AllocationPeriod stretch, List<AllocationPeriod> stretches) {
        if (stretch.promised() == null && stretch.given() == 0 && stretch.held() == 0) {
            return;
        }
        AllocationPeriod before = stretches.isEmpty() ? null : stretches.getLast();
        if (before != null
                && before.ends().equals(stretch.starts())
                && before.withPeriod(stretch.starts(), stretch.ends()).equals(stretch)) {
            stretches.removeLast();
            stretches.add(before.withPeriod(before.starts(), stretch.ends()));
        } else {
            stretches.add(stretch);
        }
    }
}
