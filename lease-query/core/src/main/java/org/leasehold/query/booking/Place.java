package org.leasehold.query.booking;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.ReservationId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;

/** A reservation's use of one resource, at all times. */
final class Place {

    private final Timeline<Allocation> promised = new Timeline<>();
    private final Timeline<Integer> given = new Timeline<>();
    private final Timeline<Integer> held = new Timeline<>();
    private final Timeline<Boolean> down = new Timeline<>();

    void promise(Instant at, Instant start, Instant end, Allocation allocation) {
        promised.during(at, start, end, allocation);
    }

    /** Moves the promise of another resource to this one from now on. */
    void replace(Instant at, Place other, Allocation allocation) {
        promised.follow(at, other.promised, allocation);
        other.takeBack(at);
    }

    /** Ends the promise and the use: the project no longer has the resource. */
    void takeBack(Instant at) {
        promised.from(at, null);
        give(at, 0);
        // No later event reports the recovery to a reservation that no longer has it.
        regain(at);
    }

    void give(Instant at, int slots) {
        set(given, at, slots, 0);
    }

    void hold(Instant at, int slots) {
        set(held, at, slots, 0);
    }

    /** Marks the resource as down: nothing of it is given until it is regained. */
    void lose(Instant at) {
        set(down, at, true, false);
    }

    void regain(Instant at) {
        set(down, at, false, false);
    }

    /** Sets a value unless the last one equals it: a stalled node may repeat an event. */
    private static <T> void set(Timeline<T> timeline, Instant at, T value, T before) {
        if (!Objects.requireNonNullElse(timeline.last(), before).equals(value)) {
            timeline.from(at, value);
        }
    }

    private int given(Instant at) {
        return Boolean.TRUE.equals(down.at(at)) ? 0 : Objects.requireNonNullElse(given.at(at), 0);
    }

    List<Stretch> stretches(ReservationId reservation, ResourceId resource) {
        NavigableSet<Instant> changes = new TreeSet<>(promised.changes());
        changes.addAll(given.changes());
        changes.addAll(held.changes());
        changes.addAll(down.changes());
        List<Stretch> stretches = new ArrayList<>();
        for (Instant starts : changes) {
            Instant next = changes.higher(starts);
            add(
                    new Stretch(
                            reservation,
                            resource,
                            starts,
                            next == null ? Instant.MAX : next,
                            promised.at(starts),
                            given(starts),
                            Objects.requireNonNullElse(held.at(starts), 0)),
                    stretches);
        }
        return stretches;
    }

    private static void add(Stretch stretch, List<Stretch> stretches) {
        if (stretch.promised() == null && stretch.given() == 0 && stretch.held() == 0) {
            return;
        }
        Stretch before = stretches.isEmpty() ? null : stretches.getLast();
        if (before != null
                && before.ends().equals(stretch.starts())
                && before.during(stretch.starts(), stretch.ends()).equals(stretch)) {
            stretches.removeLast();
            stretches.add(before.during(before.starts(), stretch.ends()));
        } else {
            stretches.add(stretch);
        }
    }
}
