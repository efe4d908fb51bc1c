package org.leasehold.invariants;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The observed values of a property, in the order of the events, with their decision times. */
final class Sightings<T> {

    private final List<Sighting<T>> all = new ArrayList<>();

    private record Sighting<T>(Instant since, T what) {}

    /** Adds an observation; ignores an unchanged value. */
    void add(Instant since, T what) {
        if (all.isEmpty() || !all.getLast().what.equals(what)) {
            all.add(new Sighting<>(since.truncatedTo(ChronoUnit.MICROS), what));
        }
    }

    /** Returns the value at an instant: the last observation of all decisions by then. */
    T at(Instant instant, T before) {
        return all.reversed().stream()
                .filter(sighting -> !sighting.since.isAfter(instant))
                .findFirst()
                .map(Sighting::what)
                .orElse(before);
    }

    T first() {
        return all.getFirst().what;
    }

    Stream<T> ever() {
        return all.stream().map(Sighting::what);
    }

    Stream<Instant> times() {
        return all.stream().map(Sighting::since);
    }
}
