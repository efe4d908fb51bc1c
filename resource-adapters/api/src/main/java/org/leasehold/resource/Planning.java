package org.leasehold.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.ReservationId;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The pure half of a plug-in: no clock, no randomness, no call outside. Parameters are JSON values:
 * String, Boolean, Integer, Long, BigDecimal, List, Map, null.
 */
public interface Planning {

    /** Plans a new reservation from its parameters. */
    Plan plan(Map<String, @Nullable Object> parameters);

    /**
     * Plans a change.
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
     * Returns the values of parameters that {@code /api} does not require. Blazar's API requires
     * them, and responds that they are missing.
     */
    default Map<String, @Nullable Object> defaults() {
        return Map.of();
    }

    /**
     * Returns the description of the kind: its parameters, with the limits that planning enforces.
     * Texts that Blazar's clients send for numbers need not be in it. By default, the parameters
     * are a free object.
     */
    default KindDescription description() {
        return KindDescription.withoutSchema(plural());
    }

    /**
     * Returns the filters in the user's parameters. Each name in a filter must be a property of the
     * resources that it selects, and one that the user may see.
     *
     * @param parameters as a user sends them; malformed ones yield no filter
     */
    default List<Filter> filters(Map<String, @Nullable Object> parameters) {
        return List.of();
    }

    /**
     * A filter.
     *
     * @param field the parameter that holds it
     * @param kind the kind of the resources that it selects
     */
    record Filter(String field, ResourceKind kind, Requirement requirement) {}

    /**
     * Returns whether a change of a running reservation needs {@link Acting#onAdjust} even if it
     * neither adds nor removes resources.
     *
     * @param before as a plan normalised it
     * @param after as a plan normalised it
     */
    default boolean needsAdjustment(
            Map<String, @Nullable Object> before, Map<String, @Nullable Object> after) {
        return false;
    }

    /**
     * Plans a running reservation whose last change the cloud has confirmed: without the needs that
     * it had only until then. Empty if the confirmation changes nothing.
     *
     * @param parameters as a plan normalised them
     */
    default Optional<Plan.Planned> planConfirmed(Map<String, @Nullable Object> parameters) {
        return Optional.empty();
    }

    /**
     * Returns whether a running reservation may get another resource in place of one that has
     * failed in the cloud. {@link Acting#onAdjust} then makes the exchange.
     */
    default boolean replacesFailedResources() {
        return false;
    }

    /** Returns the fields that represent the reservation on the wire, in order. */
    Map<String, @Nullable Object> render(ReservationWish wish);

    /**
     * Returns whether the cloud's ids are among the fields from the start on. Clients of Blazar
     * read them in the response to a creation.
     *
     * @param parameters as a plan normalised them
     */
    default boolean showsIdsFromStart(Map<String, @Nullable Object> parameters) {
        return false;
    }

    /**
     * Redacts parameters, of this kind or another one: masks users' secrets. A masked value in a
     * change stays unchanged.
     */
    default Map<String, @Nullable Object> redact(Map<String, @Nullable Object> parameters) {
        return parameters;
    }

    /**
     * Returns the parts of a reservation that would be reservations themselves if they were leased
     * alone. Responses nest them in the reservation.
     *
     * @param cloudIds the cloud's ids of what it made for the reservation; empty before its start
     */
    default List<Nested> nested(ReservationWish wish, Map<String, Object> cloudIds) {
        return List.of();
    }

    /**
     * A reservation within another one, which starts, fails and ends with it.
     *
     * @param name the outer reservation's name for it; unique in there
     * @param fields the fields that represent it on the wire, in order
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
     * Returns whether a part of a reservation is created as the user who requests it, so that a
     * trust is useful.
     *
     * @param parameters as a plan normalised them
     */
    default boolean actsAsUser(Map<String, @Nullable Object> parameters) {
        return false;
    }

    /**
     * Returns whether a service creates that part and wants to act as the user later, so that the
     * trust must be passed on.
     *
     * @param parameters as a plan normalised them
     */
    default boolean passesTrustOn(Map<String, @Nullable Object> parameters) {
        return false;
    }

    /**
     * Returns whether {@link Acting#prepare} has work to do. The engine calls this for every
     * accepted lease.
     *
     * @param parameters as a plan normalised them
     */
    default boolean preparesStart(Map<String, @Nullable Object> parameters) {
        return false;
    }

    /**
     * Returns whether the things of a running reservation in the cloud carry its name. If not, the
     * engine cannot detect that they are missing.
     *
     * @param parameters as a plan normalised them
     */
    default boolean hasNamedCloudObjects(Map<String, @Nullable Object> parameters) {
        return true;
    }

    /**
     * Returns the kinds that must run in a lease before a reservation of this kind starts. The end
     * has no order. A kind never starts after itself, and the kinds of all plug-ins have no cycle.
     * By default, none: the reservation starts with its lease.
     */
    default Set<ResourceKind> startsAfter() {
        return Set.of();
    }

    /** Returns the name of several resources of the kind, for a sentence. */
    String plural();

    /** The result of planning. */
    sealed interface Plan {

        /**
         * A plan for valid parameters.
         *
         * @param parameters complete, with defaults, in the plug-in's normal form
         * @param demands at least one; several are all for slots, and no resource meets two of them
         */
        record Planned(Map<String, @Nullable Object> parameters, List<Demand> demands)
                implements Plan {

            public Planned {
                parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
                demands = List.copyOf(demands);
                if (demands.isEmpty()) {
                    throw new IllegalArgumentException("a plan needs at least one demand");
                }
            }

            /** Creates a plan that needs resources of one kind. */
            public Planned(Map<String, @Nullable Object> parameters, Demand demand) {
                this(parameters, List.of(demand));
            }

            /**
             * Returns the only demand.
             *
             * @throws IllegalStateException if there are several
             */
            public Demand demand() {
                if (demands.size() > 1) {
                    throw new IllegalStateException("there are several: " + demands);
                }
                return demands.getFirst();
            }
        }

        /**
         * An error in the parameters.
         *
         * @param field the parameter at fault
         * @param message a sentence for the user; on {@code /v1} it is the error message
         */
        record Invalid(String field, String message) implements Plan {}
    }
}
