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

/** What a reservation has of one resource, ever. */
final class Place {

    private final Timeline<Allocation> promised = new Timeline<>();
    private final Timeline<Integer> given = new Timeline<>();
    private final Timeline<Integer> held = new Timeline<>();
    private final Timeline<Boolean> down = new Timeline<>();

    void promise(Instant at, Instant start, Instant end, Allocation allocation) {
        promised.during(at, start, end, allocation);
    }

    /** What was promised of another place is from now on promised of this one. */
    void replace(Instant at, Place other, Allocation allocation) {
        promised.follow(at, other.promised, allocation);
        other.takeBack(at);
    }

    /** Nothing is promised any more, nor given: its project is to have it no longer. */
    void takeBack(Instant at) {
        promised.from(at, null);
        give(at, 0);
        // Whoever has it no longer does not hear when it is there again.
        regain(at);
    }

    void give(Instant at, int slots) {
        set(given, at, slots, 0);
    }

    void hold(Instant at, int slots) {
        set(held, at, slots, 0);
    }

    /** It is down: whatever is given of it, until it is regained it is nothing. */
    void lose(Instant at) {
        set(down, at, true, false);
    }

    void regain(Instant at) {
        set(down, at, false, false);
    }

    /** Who is told again what is so already, be it by one who stood still, learns nothing. */
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
