package org.leasehold.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.Outage;
import org.leasehold.inventory.OutageExtent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.TrustId;
import org.leasehold.lease.UserId;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The half of a plugin that touches the cloud. Every call may come twice, also after it took effect
 * and its answer was lost: look before you create, derive names from the reservation's id, and
 * touch only what carries such a name. Calls for one reservation never overlap. No call throws for
 * what the cloud answers; it returns a {@link Fault}.
 */
public interface Acting {

    /** Looks a resource up that is to be enrolled. Changes nothing. */
    Discovery discover(String name);

    /** Takes an enrolled resource into the cloud's pool of leasable ones. */
    Result enrol(ResourceId id, String name);

    /** Gives a retired resource back to the cloud. */
    Result retire(ResourceId id, String name);

    /**
     * Does what a reservation wants done as soon as it is accepted, long before its start; only
     * where planning says that there is something. Nothing is given, and the start must be able to
     * do without.
     */
    default Result prepare(Assignment assignment) {
        return new Result.Done();
    }

    /** Gives the project exactly the resources of the assignment. */
    Result onStart(Assignment assignment);

    /**
     * Brings a running reservation from what it has to exactly the assignment.
     *
     * @param leaving resources that it gives up; they are to be clean when the call returns
     */
    Result onAdjust(Assignment assignment, List<Allocation> leaving);

    /** Does what the reservation wants done shortly before its end. */
    Result beforeEnd(Assignment assignment);

    /** Leaves nothing of the reservation in the cloud. */
    Result onEnd(Assignment assignment);

    /** The names of what the cloud holds for a reservation, in order; empty for nothing. */
    List<String> inspect(ReservationId reservation);

    /**
     * What the cloud says of enrolled resources now. Asked time and again, so one call to the cloud
     * should do. Changes nothing.
     */
    default Look inventory(Collection<String> names) {
        return new Look.Known(Map.of(), Map.of());
    }

    /**
     * What runs on enrolled resources now, where it is the resources that are leased and not what
     * runs on them. Asked every few minutes, so few calls to the cloud should do. Changes nothing.
     */
    default Running running(Collection<String> names) {
        return new Running.Known(Map.of());
    }

    /** Everything in the cloud that bears a reservation's name, be it known here or not. */
    Survey survey();

    /**
     * What a reservation is to have.
     *
     * @param parameters the wish, as the planning half normalised it
     * @param resources the resources that are its own
     * @param fence to be asked before each request that changes the cloud
     * @param others whom to leave alone, where users can write any reservation's id on a thing
     * @param trust by which to act as the user; null if there is none. An end must be able to do
     *     without.
     */
    record Assignment(
            LeaseId lease,
            ReservationId reservation,
            ProjectId project,
            UserId user,
            LeasePeriod period,
            Map<String, @Nullable Object> parameters,
            List<Allocation> resources,
            Fence fence,
            Others others,
            @Nullable TrustId trust) {

        public Assignment {
            parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
            resources = List.copyOf(resources);
        }

        /** Nobody trusts the engine, and no other reservation holds anything. */
        // As in every record with such a map: the compiler loses the annotation of its values.
        @SuppressWarnings("NullAway")
        public Assignment(
                LeaseId lease,
                ReservationId reservation,
                ProjectId project,
                UserId user,
                LeasePeriod period,
                Map<String, @Nullable Object> parameters,
                List<Allocation> resources,
                Fence fence) {
            this(
                    lease,
                    reservation,
                    project,
                    user,
                    period,
                    parameters,
                    resources,
                    fence,
                    _ -> Optional.empty(),
                    null);
        }
    }

    /**
     * Whether the reservation is still the one to act for. A process that was stopped in the middle
     * of a call goes on with it minutes later, when another one has long finished it and the
     * resources belong to somebody else.
     */
    @FunctionalInterface
    interface Fence {

        boolean holds();
    }

    /** The other reservations. */
    @FunctionalInterface
    interface Others {

        /** What one wishes that holds anything now; empty for any that holds nothing. */
        Optional<Map<String, @Nullable Object>> wish(ReservationId reservation);

        /**
         * Those of the same kind and project that hold anything now and wish the same thing of the
         * cloud, where nothing can be written on it.
         *
         * @param parameter that says which thing it is
         */
        default List<Other> wishing(String parameter, Object value) {
            return List.of();
        }
    }

    /**
     * Another reservation that holds something now.
     *
     * @param isStarting whether it is yet to take what it holds
     */
    record Other(ReservationId reservation, boolean isStarting) {}

    /** What became of an action. */
    sealed interface Result {

        /**
         * It is done.
         *
         * @param cloudIds after a start, what the cloud calls what it made: JSON values under the
         *     names that the reservation has for them on the wire; after an adjustment the same, or
         *     nothing if all of it is called as it was
         */
        record Done(Map<String, Object> cloudIds) implements Result {

            public Done {
                cloudIds = Collections.unmodifiableMap(new TreeMap<>(cloudIds));
            }

            public Done() {
                this(Map.of());
            }
        }

        record Failed(Fault fault) implements Result {}
    }

    /** What a look at the cloud tells of resources that are enrolled. */
    sealed interface Look {

        /**
         * All of it.
         *
         * @param outages why it cannot give some, by name; one that is {@link OutageExtent#DOWN}
         *     only where the cloud is sure that who has the resource has nothing of it now
         * @param found what an enrolment would learn now, by name; of those that are not in it
         *     nothing is said, and what was said before stands
         * @param strays those that are neither in the pool of leasable ones nor in any reservation,
         *     by name: somebody removed them
         */
        record Known(
                Map<String, Outage> outages,
                Map<String, Discovery.Found> found,
                SortedSet<String> strays)
                implements Look {

            public Known {
                outages = Collections.unmodifiableMap(new TreeMap<>(outages));
                found = Collections.unmodifiableMap(new TreeMap<>(found));
                strays = Collections.unmodifiableSortedSet(new TreeSet<>(strays));
            }

            /** All of it is where it belongs, or belongs nowhere. */
            public Known(Map<String, Outage> outages, Map<String, Discovery.Found> found) {
                this(outages, found, Collections.emptySortedSet());
            }
        }

        /** The cloud did not answer. */
        record Unknown(Fault fault) implements Look {}
    }

    /** What runs on resources. */
    sealed interface Running {

        /**
         * All of it.
         *
         * @param loads by the resource's name; of those that are not in it nothing is said
         */
        record Known(Map<String, Load> loads) implements Running {

            public Known {
                loads = Map.copyOf(loads);
            }
        }

        /** The cloud did not answer. */
        record Unknown(Fault fault) implements Running {}

        /**
         * What runs on one resource.
         *
         * @param servers how many there are, be they switched on or off
         * @param vcpus of all of them together
         */
        record Load(int servers, int vcpus) {

            /** Nothing does. */
            public static final Load NONE = new Load(0, 0);

            /** Both on the same resource. */
            public Load plus(Load other) {
                return new Load(servers + other.servers, vcpus + other.vcpus);
            }
        }
    }

    /** What the cloud holds for reservations. */
    sealed interface Survey {

        /**
         * All of it.
         *
         * @param things as {@link Acting#inspect} names them, though a survey may name fewer; no
         *     reservation has none
         * @param squatters who is on enrolled resources that are in no reservation, in order,
         *     without those whom the cloud's operator lets be there
         */
        record Seen(Map<ReservationId, List<String>> things, List<Squatter> squatters)
                implements Survey {

            public Seen {
                things = Collections.unmodifiableMap(new LinkedHashMap<>(things));
                squatters = List.copyOf(squatters);
            }

            /** Nobody is on a resource, or nobody can be. */
            public Seen(Map<ReservationId, List<String>> things) {
                this(things, List.of());
            }

            /** Things as they come, each with whose it is. */
            public static Seen of(Stream<Thing> things) {
                return new Seen(
                        things.collect(
                                Collectors.groupingBy(
                                        Thing::reservation,
                                        LinkedHashMap::new,
                                        Collectors.mapping(Thing::name, Collectors.toList()))));
            }
        }

        /** The cloud did not answer. */
        record Unseen(Fault fault) implements Survey {}

        /**
         * What a reservation has, or a part of it.
         *
         * @param name as {@link Acting#inspect} names it
         */
        record Thing(ReservationId reservation, String name) {}
    }

    /**
     * A server on a resource that is in no reservation, though it may be shared by some.
     *
     * @param id what the cloud calls it
     * @param name what its owner calls it
     * @param resource the name of what it is on
     * @param reservation whose slot it says that it has; null for none
     */
    record Squatter(
            String id,
            String name,
            String resource,
            ProjectId project,
            @Nullable ReservationId reservation) {}

    /** What the cloud knows of a resource. */
    sealed interface Discovery {

        /**
         * It exists and can be enrolled.
         *
         * @param name the cloud's own name of it
         * @param attributes its properties as JSON values
         */
        record Found(
                String name,
                @Nullable String region,
                @Nullable String zone,
                Map<String, @Nullable Object> attributes)
                implements Discovery {

            public Found {
                attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
            }
        }

        record NotFound() implements Discovery {}

        /** It exists, but somebody uses it. */
        record InUse(String name, List<String> users) implements Discovery {

            public InUse {
                users = List.copyOf(users);
            }
        }

        /**
         * Nobody can lease it, whoever uses it now.
         *
         * @param reason a sentence for the operator; on {@code /v1} it is the error message
         */
        record Unfit(String reason) implements Discovery {}

        /** The cloud did not answer. */
        record Unknown(Fault fault) implements Discovery {}
    }
}
