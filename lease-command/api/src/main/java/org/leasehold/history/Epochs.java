package org.leasehold.history;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The epochs of the history. An operator begins a new one when the database has lost events, for
 * example after a restore. Positions are never reused: those of lost events stay unused. A consumer
 * that has read a lost event is recognised by its offset.
 *
 * @param all all epochs in order; never empty, the first one begins with the first event
 */
public record Epochs(List<Epoch> all) {

    /** The only epoch of a database that never lost events. */
    public static final Epochs FIRST = new Epochs(List.of(new Epoch(1, 0, 0, Instant.EPOCH)));

    public Epochs {
        all = List.copyOf(all);
        if (all.isEmpty()) {
            throw new IllegalArgumentException("there is no epoch");
        }
    }

    /**
     * An epoch.
     *
     * @param number from 1, ascending; the numbers of lost epochs are missing
     * @param after the position of the last event before this epoch; 0 for the first
     * @param lostThrough the last lost position: events of earlier epochs above {@code after} and
     *     up to it are lost, and this epoch's events are above it. Equal to {@code after} for the
     *     first epoch, which lost none
     * @param beganAt the start of the epoch, by the database's clock
     */
    public record Epoch(long number, long after, long lostThrough, Instant beganAt) {

        private boolean isLost(long position) {
            return after < position && position <= lostThrough;
        }
    }

    /** Returns the epoch of new events. */
    public Epoch current() {
        return all.getLast();
    }

    /** Returns the epoch of an event, by its position. */
    public Epoch of(long position) {
        return all.stream()
                .filter(epoch -> epoch.after() < position)
                .reduce((_, later) -> later)
                .orElse(all.getFirst());
    }

    /** Returns the epoch that began without the event at a position; empty if none did. */
    public Optional<Epoch> withoutEventAt(long position) {
        return all.stream().filter(epoch -> epoch.isLost(position)).findFirst();
    }
}
