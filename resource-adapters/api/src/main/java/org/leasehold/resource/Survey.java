package org.leasehold.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The things that the cloud holds for reservations. */
public sealed interface Survey {

    /**
     * The complete result.
     *
     * @param things as {@link Acting#inspect} names them, though a survey may name fewer; at least
     *     one for each reservation
     * @param squatters servers on enrolled resources that are in no reservation, in order, without
     *     those that the cloud's operator allows
     */
    record Seen(Map<ReservationId, List<String>> things, List<Squatter> squatters)
            implements Survey {

        public Seen {
            things = Collections.unmodifiableMap(new LinkedHashMap<>(things));
            squatters = List.copyOf(squatters);
        }

        /** Creates a result without servers on resources that are in no reservation. */
        public Seen(Map<ReservationId, List<String>> things) {
            this(things, List.of());
        }

        /** Groups things by reservation, in the order of the stream. */
        public static Seen of(Stream<Thing> things) {
            return new Seen(
                    things.collect(
                            Collectors.groupingBy(
                                    Thing::reservation,
                                    LinkedHashMap::new,
                                    Collectors.mapping(Thing::name, Collectors.toList()))));
        }
    }

    /** A failed survey: the cloud did not respond. */
    record Unseen(Fault fault) implements Survey {}

    /**
     * A thing that a reservation has, or a part of it.
     *
     * @param name as {@link Acting#inspect} names it
     */
    record Thing(ReservationId reservation, String name) {}

    /**
     * A server on a resource that is in no reservation, though some may share it.
     *
     * @param id the cloud's id of it
     * @param name its owner's name for it
     * @param resource the name of the resource that it is on
     * @param reservation the reservation whose slot it claims to use; null for none
     */
    record Squatter(
            String id,
            String name,
            String resource,
            ProjectId project,
            @Nullable ReservationId reservation) {}
}
