package org.leasehold.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.Outage;
import org.leasehold.inventory.OutageExtent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.TrustId;
import org.leasehold.vocabulary.UserId;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The half of a plug-in that calls the cloud. Every call may come twice, also after it took effect
 * and its response was lost. So read before you create, derive names from the reservation's id, and
 * change only what carries such a name. Calls for one reservation never overlap. No call throws for
 * an error of the cloud; it returns a {@link Fault}.
 */
public interface Acting {

    /** Looks up a resource that is to be enrolled. Changes nothing. */
    Discovery discover(String name);

    /** Moves an enrolled resource into the cloud's pool of leasable resources. */
    Result enrol(ResourceId id, String name);

    /** Returns a retired resource to the cloud. */
    Result retire(ResourceId id, String name);

    /**
     * Does what a reservation needs as soon as it is accepted, long before its start. The engine
     * calls this only if planning says that there is work. It gives no resource, and the start must
     * work without it.
     */
    default Result prepare(Assignment assignment) {
        return new Result.Done();
    }

    /** Gives the project exactly the resources of the assignment. */
    Result onStart(Assignment assignment);

    /**
     * Changes a running reservation from what it has to exactly the assignment.
     *
     * @param leaving resources that it releases; they must be clean when the call returns
     */
    Result onAdjust(Assignment assignment, List<Allocation> leaving);

    /** Does the work that the reservation requests shortly before its end. */
    Result beforeEnd(Assignment assignment);

    /** Removes everything of the reservation from the cloud. */
    Result onEnd(Assignment assignment);

    /** Returns the names of what the cloud holds for a reservation, in order; empty for nothing. */
    List<String> inspect(ReservationId reservation);

    /**
     * Returns the cloud's view of enrolled resources now. Called repeatedly, so one request to the
     * cloud should be enough. Changes nothing.
     */
    default Look inventory(Collection<String> names) {
        return new Look.Known(Map.of(), Map.of());
    }

    /**
     * Returns the load of enrolled resources now, if resources are leased and not what runs on
     * them. Called every few minutes, so use few requests to the cloud. Changes nothing.
     */
    default Running readLoads(Collection<String> names) {
        return new Running.Known(Map.of());
    }

    /**
     * Returns which running reservations lack a part that only the cloud's operators can remove,
     * and without which their holders cannot use them. {@link #onAdjust} restores it. Called
     * repeatedly, so use few requests to the cloud. Changes nothing.
     */
    default Losses findLosses(Collection<ReservationId> running) {
        return new Losses.Unchecked();
    }

    /** Returns all things in the cloud that carry a reservation's name, known here or not. */
    Survey survey();

    /**
     * The target state of a reservation.
     *
     * @param parameters the request, as the planning half normalised it
     * @param resources its own resources
     * @param fence checked before each request that changes the cloud
     * @param others reservations to leave alone, where users can write any id on a thing
     * @param trust to act as the user; null if there is none. An end must work without it.
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

        /** Creates an assignment without a trust, and without other holders. */
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
     * A check that the reservation is still the one to act for. A process that was suspended in a
     * call may continue it minutes later. By then another process has finished the call, and other
     * reservations may have the resources.
     */
    @FunctionalInterface
    interface Fence {

        boolean isValid();
    }

    /** The other reservations. */
    @FunctionalInterface
    interface Others {

        /** Returns the request of a reservation that holds something now; empty for any other. */
        Optional<Map<String, @Nullable Object>> requestOf(ReservationId reservation);

        /**
         * Returns reservations of the same kind and project that hold something now and name the
         * same thing. Used where the cloud lets nothing be written on the thing.
         *
         * @param parameter the parameter that names the thing
         */
        default List<Other> findHolders(String parameter, Object value) {
            return List.of();
        }
    }

    /**
     * Another reservation that holds something now.
     *
     * @param isStarting whether it has yet to take what it holds
     */
    record Other(ReservationId reservation, boolean isStarting) {}

    /** The result of an action. */
    sealed interface Result {

        /**
         * A successful action.
         *
         * @param cloudIds after a start, the cloud's ids of what it made: JSON values under their
         *     names on the wire in the reservation; after an adjustment the same, or nothing if all
         *     ids are unchanged
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

    /** The result of an inventory of enrolled resources. */
    sealed interface Look {

        /**
         * The complete result.
         *
         * @param outages why the cloud cannot provide some, by name; {@link OutageExtent#DOWN} only
         *     if the cloud is sure that the holder cannot use the resource at all now
         * @param found what an enrolment would read now, by name; for those absent the previous
         *     values stand
         * @param strays those neither in the pool of leasable resources nor in any reservation, by
         *     name: they were removed by hand
         * @param pooled those in the pool of leasable resources and in no reservation, by name;
         *     empty if the cloud does not say
         */
        record Known(
                Map<String, Outage> outages,
                Map<String, Discovery.Found> found,
                SortedSet<String> strays,
                SortedSet<String> pooled)
                implements Look {

            public Known {
                outages = Collections.unmodifiableMap(new TreeMap<>(outages));
                found = Collections.unmodifiableMap(new TreeMap<>(found));
                strays = Collections.unmodifiableSortedSet(new TreeSet<>(strays));
                pooled = Collections.unmodifiableSortedSet(new TreeSet<>(pooled));
            }

            /** Creates a result that says nothing about the pool. */
            public Known(
                    Map<String, Outage> outages,
                    Map<String, Discovery.Found> found,
                    SortedSet<String> strays) {
                this(outages, found, strays, Collections.emptySortedSet());
            }

            /** Creates a result without strays, or for a cloud without a pool. */
            public Known(Map<String, Outage> outages, Map<String, Discovery.Found> found) {
                this(outages, found, Collections.emptySortedSet());
            }
        }

        /** A failed inventory: the cloud did not respond. */
        record Unknown(Fault fault) implements Look {}
    }

    /** The reservations that lack a part in the cloud. */
    sealed interface Losses {

        /** The complete result. */
        record Known(Set<ReservationId> reservations) implements Losses {

            public Known {
                reservations = Set.copyOf(reservations);
            }
        }

        /** No result, because the plug-in does not check this. */
        record Unchecked() implements Losses {}

        /** A failed check: the cloud did not respond. */
        record Unknown(Fault fault) implements Losses {}
    }

    /** The load of resources. */
    sealed interface Running {

        /**
         * The complete result.
         *
         * @param loads by the resource's name; nothing is known of those absent
         */
        record Known(Map<String, Load> loads) implements Running {

            public Known {
                loads = Map.copyOf(loads);
            }
        }

        /** A failed query: the cloud did not respond. */
        record Unknown(Fault fault) implements Running {}

        /**
         * The load of one resource.
         *
         * @param servers the number of servers, switched on or off
         * @param vcpus the sum of their vCPUs
         */
        record Load(int servers, int vcpus) {

            /** No load. */
            public static final Load NONE = new Load(0, 0);

            /** Returns the sum of two loads of the same resource. */
            public Load plus(Load other) {
                return new Load(servers + other.servers, vcpus + other.vcpus);
            }
        }
    }

    /** The things that the cloud holds for reservations. */
    sealed interface Survey {

        /**
         * The complete result.
         *
         * @param things as {@link Acting#inspect} names them, though a survey may name fewer; at
         *     least one for each reservation
         * @param squatters servers on enrolled resources that are in no reservation, in order,
         *     without those that the cloud's operator allows
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
    }

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

    /** The cloud's description of a resource. */
    sealed interface Discovery {

        /**
         * A resource that exists and can be enrolled.
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

        /** A resource that exists, but is in use. */
        record InUse(String name, List<String> users) implements Discovery {

            public InUse {
                users = List.copyOf(users);
            }
        }

        /**
         * A resource that cannot be leased, in use or not.
         *
         * @param reason a sentence for the operator; on {@code /v1} it is the error message
         */
        record Unfit(String reason) implements Discovery {}

        /** A failed lookup: the cloud did not respond. */
        record Unknown(Fault fault) implements Discovery {}
    }
}
