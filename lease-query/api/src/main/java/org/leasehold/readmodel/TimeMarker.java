package org.leasehold.readmodel;

import org.jspecify.annotations.Nullable;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Instant;
import java.util.UUID;
import java.util.function.Function;

/**
 * The end of a page of a list by time, oldest first.
 *
 * @param time the time of the last item; of items of the same time, the key shows which one it is
 */
public record TimeMarker<K>(Instant time, K key) {

    /** The start of a list whose keys are numbers from 1. */
    private static final TimeMarker<Long> NUMBER_START = new TimeMarker<>(Instant.EPOCH, 0L);

    /** The start of a list whose keys are ids. */
    private static final TimeMarker<UUID> ID_START =
            new TimeMarker<>(Instant.EPOCH, new UUID(0, 0));

    /**
     * Parses the marker of a list whose keys are numbers from 1.
     *
     * @param marker null for the start of the list
     * @throws UnknownMarker if it is invalid
     */
    public static TimeMarker<Long> ofNumber(@Nullable String marker) {
        return marker == null ? NUMBER_START : parse(marker, Long::valueOf);
    }

    /**
     * Parses the marker of a list whose keys are ids.
     *
     * @param marker null for the start of the list
     * @throws UnknownMarker if it is invalid
     */
    public static TimeMarker<UUID> ofId(@Nullable String marker) {
        return marker == null ? ID_START : parse(marker, UUID::fromString);
    }

    private static <K> TimeMarker<K> parse(String marker, Function<String, K> key) {
        return Page.parseMarker(
                marker,
                text -> {
                    String[] parts = Page.decodeMarker(text).split(" ", -1);
                    if (parts.length != 2) {
                        throw new IllegalArgumentException("not a time and a key: " + text);
                    }
                    Instant time = Instant.parse(parts[0]);
                    if (time.isBefore(Instant.EPOCH) || time.isAfter(LeasePeriod.MAX_TIME)) {
                        throw new IllegalArgumentException("not a time of an item: " + time);
                    }
                    return new TimeMarker<>(time, key.apply(parts[1]));
                });
    }

    /** Returns the opaque text for clients. */
    public String text() {
        return Page.encodeMarker(time + " " + key);
    }
}
