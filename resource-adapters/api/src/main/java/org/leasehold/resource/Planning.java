package org.leasehold.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.lease.ReservationWish;

import java.util.Collections;
import java.util.LinkedHashMap;
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

    /** The fields that represent the reservation on the wire, in order. */
    Map<String, @Nullable Object> render(ReservationWish wish);

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
     * Whether there is something for {@link Acting#prepare} to do. Asked for every lease that is
     * accepted.
     *
     * @param parameters as a plan normalised them
     */
    default boolean preparesStart(Map<String, @Nullable Object> parameters) {
        return false;
    }

    /** What several resources of the kind are called in a sentence for people. */
    String plural();

    /** What a plugin makes of parameters. */
    sealed interface Plan {

        /**
         * They make sense.
         *
         * @param parameters complete, with defaults, in the plugin's normal form
         */
        record Planned(Map<String, @Nullable Object> parameters, Demand demand) implements Plan {

            public Planned {
                parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
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
