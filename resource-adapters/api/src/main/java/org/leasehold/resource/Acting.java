package org.leasehold.resource;

import org.jspecify.annotations.Nullable;
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
import java.util.TreeMap;

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

    /**
     * Changes a running reservation as {@link #onAdjust(Assignment, List)} does. Servers of the
     * reservation on a replaced resource move to its replacement, under the same ids, before the
     * resource leaves. The call may find a part of them moved, or a move in progress.
     *
     * <p>The default moves nothing: it removes the servers like any other adjustment.
     *
     * @param leaving resources that it releases, the replaced ones included
     * @param replacements pairs of a leaving resource and one of the assignment; often empty
     */
    default Result onAdjust(
            Assignment assignment, List<Allocation> leaving, List<Replacement> replacements) {
        return onAdjust(assignment, leaving);
    }

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
    default InventoryResult inventory(Collection<String> names) {
        return new InventoryResult.Known(Map.of(), Map.of());
    }

    /**
     * Returns the load of enrolled resources now, if resources are leased and not what runs on
     * them. Called every few minutes, so use few requests to the cloud. Changes nothing.
     */
    default LoadResult readLoads(Collection<String> names) {
        return new LoadResult.Known(Map.of());
    }

    /**
     * Returns which running reservations lack a part that only the cloud's operators can remove,
     * and without which their holders cannot use them. {@link #onAdjust} restores it. Called
     * repeatedly, so use few requests to the cloud. Changes nothing.
     */
    default LossResult findLosses(Collection<ReservationId> running) {
        return new LossResult.Unchecked();
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

        /**
         * Creates an assignment with a fence that stays valid, without other holders or a trust.
         */
        // As in every record with such a map: the compiler loses the annotation of its values.
        @SuppressWarnings("NullAway")
        public Assignment(
                LeaseId lease,
                ReservationId reservation,
                ProjectId project,
                UserId user,
                LeasePeriod period,
                Map<String, @Nullable Object> parameters,
                List<Allocation> resources) {
            this(
                    lease,
                    reservation,
                    project,
                    user,
                    period,
                    parameters,
                    resources,
                    () -> true,
                    _ -> Optional.empty(),
                    null);
        }

        /** Returns the same assignment with another fence. */
        // As in every record with such a map: the compiler loses the annotation of its values.
        @SuppressWarnings("NullAway")
        public Assignment withFence(Fence newFence) {
            return new Assignment(
                    lease,
                    reservation,
                    project,
                    user,
                    period,
                    parameters,
                    resources,
                    newFence,
                    others,
                    trust);
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
