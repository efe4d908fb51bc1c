package org.leasehold.invariants;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The observed values of a property, in the order of the events, with their decision times. */
final class ObservedValues<T> {

    private final List<Sighting<T>> observations = new ArrayList<>();

    private record Sighting<T>(Instant since, T what) {}

    /** Adds an observation; ignores an unchanged value. */
    void add(Instant since, T what) {
        if (observations.isEmpty() || !observations.getLast().what.equals(what)) {
            observations.add(new Sighting<>(since.truncatedTo(ChronoUnit.MICROS), what));
        }
    }

    /** Returns the value at an instant: the last observation of all decisions by then. */
    T valueAt(Instant instant, T before) {
        return observations.reversed().stream()
                .filter(sighting -> !sighting.since.isAfter(instant))
                .findFirst()
                .map(Sighting::what)
                .orElse(before);
    }

    T firstValue() {
        return observations.getFirst().what;
    }

    Stream<T> values() {
        return observations.stream().map(Sighting::what);
    }

    Stream<Instant> times() {
        return observations.stream().map(Sighting::since);
    }
}
