package org.leasehold.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.ReservationWish;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The pure half of a plugin: no clock, no randomness, no call outside. Parameters are JSON values:
 * String, Boolean, Integer, Long, BigDecimal, List, Map, null.
 */
public interface Planning {

    /** Understands the parameters of a new reservation. */
    Plan plan(Map<String, @Nullable Object> parameters);

    /**
     * Understands a change.
     *
     * @param current the reservation's present parameters, as a plan normalised them
     * @param changes the parameters that are to change
     * @param running whether the reservation has started
     */
    Plan change(
            Map<String, @Nullable Object> current,
            Map<String, @Nullable Object> changes,
            boolean running);

    /**
     * The values of parameters that {@code /api} does not require. Blazar's API does, and answers
     * that they are missing.
     */
    default Map<String, @Nullable Object> defaults() {
        return Map.of();
    }

    /**
     * The filters that a user states in parameters. Each name in them must be a property of the
     * resources that they choose from, and one that the user may see.
     *
     * @param parameters as a user states them; none where they are malformed
     */
    default List<Filter> filters(Map<String, @Nullable Object> parameters) {
        return List.of();
    }

    /**
     * A filter.
     *
     * @param field the parameter that states it
     * @param kind of which kind the resources are that it chooses from
     */
    record Filter(String field, ResourceKind kind, Requirement requirement) {}

    /**
     * Whether a change of a running reservation is something for {@link Acting#onAdjust} even where
     * it neither gives nor takes resources.
     *
     * @param before as a plan normalised it
     * @param after as a plan normalised it
     */
    default boolean adjusts(
            Map<String, @Nullable Object> before, Map<String, @Nullable Object> after) {
        return false;
    }

    /** The fields that represent the reservation on the wire, in order. */
    Map<String, @Nullable Object> render(ReservationWish wish);

    /**
     * Whether the cloud's ids are among the fields from the start on. Clients of Blazar read them
     * in the answer to a creation.
     *
     * @param parameters as a plan normalised them
     */
    default boolean showsIdsFromStart(Map<String, @Nullable Object> parameters) {
        return false;
    }

    /**
     * What may be told of parameters, of this kind or another one: secrets that its users have
     * given are masked. What is masked in a change is not to change.
     */
    default Map<String, @Nullable Object> told(Map<String, @Nullable Object> parameters) {
        return parameters;
    }

    /**
     * What a reservation is made of, where that would be a reservation itself if it were leased
     * alone; it is shown within.
     *
     * @param cloudIds what the cloud calls what it made for the reservation; empty before its start
     */
    default List<Nested> nested(ReservationWish wish, Map<String, Object> cloudIds) {
        return List.of();
    }

    /**
     * A reservation within another one, which starts, fails and ends with it.
     *
     * @param name what the outer one calls it; unique in there
     * @param fields that represent it on the wire, in order
     */
    record Nested(
            ReservationId id,
            ResourceKind kind,
            String name,
            Map<String, @Nullable Object> fields) {

        public Nested {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }
    }

    /**
     * Whether something of a reservation is made as the user who asks for it, so that a trust is of
     * use.
     *
     * @param parameters as a plan normalised them
     */
    default boolean actsAsUser(Map<String, @Nullable Object> parameters) {
        return false;
    }

    /**
     * Whether what is made as the user is made by a service that wants to go on as them, so that
     * the trust has to be passed on.
     *
     * @param parameters as a plan normalised them
     */
    default boolean passesTrustOn(Map<String, @Nullable Object> parameters) {
        return false;
    }

    /**
     * Whether there is something for {@link Acting#prepare} to do. Asked for every lease that is
     * accepted.
     *
     * @param parameters as a plan normalised them
     */
    default boolean preparesStart(Map<String, @Nullable Object> parameters) {
        return false;
    }

    /**
     * Whether what a running reservation has in the cloud tells whose it is: if not, nobody can say
     * that it is missing.
     *
     * @param parameters as a plan normalised them
     */
    default boolean bearsItsName(Map<String, @Nullable Object> parameters) {
        return true;
    }

    /** What several resources of the kind are called in a sentence for people. */
    String plural();

    /** What a plugin makes of parameters. */
    sealed interface Plan {

        /**
         * They make sense.
         *
         * @param parameters complete, with defaults, in the plugin's normal form
         * @param demands at least one; several are all for slots, and no resource meets two of them
         */
        record Planned(Map<String, @Nullable Object> parameters, List<Demand> demands)
                implements Plan {

            public Planned {
                parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
                demands = List.copyOf(demands);
                if (demands.isEmpty()) {
                    throw new IllegalArgumentException("whoever demands nothing cannot start");
                }
            }

            /** It needs resources of one kind. */
            public Planned(Map<String, @Nullable Object> parameters, Demand demand) {
                this(parameters, List.of(demand));
            }

            /**
             * What it needs of one kind.
             *
             * @throws IllegalStateException if it needs resources of several
             */
            public Demand demand() {
                if (demands.size() > 1) {
                    throw new IllegalStateException("there are several: " + demands);
                }
                return demands.getFirst();
            }
        }

        /**
         * They make none.
         *
         * @param field the parameter at fault
         * @param message a sentence for the user; on {@code /v1} it is the error message
         */
        record Invalid(String field, String message) implements Plan {}
    }
}
