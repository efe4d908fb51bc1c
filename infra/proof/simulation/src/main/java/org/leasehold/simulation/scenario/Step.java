package org.leasehold.simulation.scenario;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.OutageExtent;
import org.leasehold.resource.simulator.InjectedFault;

import java.time.Duration;
import java.util.List;

/**
 * An action from outside on the engine. Leases, projects, hosts and nodes are numbers, so that a
 * step has the same meaning if others are left out.
 */
public sealed interface Step {

    /** Returns the time of the step, as a duration since the beginning. */
    Duration at();

    /** A step of a project. */
    sealed interface ByClient extends Step {

        int project();
    }

    /** A step of the operator, or of the cloud. */
    sealed interface ByOperator extends Step {}

    /** A fault. */
    sealed interface Fault extends Step {}

    /**
     * A project's request for a lease.
     *
     * @param start the start of the lease; now, if that has passed
     * @param beforeEnd the time from the announcement to the end; null for no announcement
     * @param retries how often the request is retried if the calendar cannot hold it
     * @param answerLost true if no response arrives; the client repeats the request with its key
     */
    record Ask(
            Duration at,
            int project,
            int lease,
            Duration start,
            Duration length,
            @Nullable Duration beforeEnd,
            List<Wish> wishes,
            int retries,
            boolean answerLost)
            implements ByClient {}

    /** A request for whole hosts; optionally only hosts with a GPU. */
    record Wish(int minimum, int maximum, boolean gpu, boolean spread) {}

    record Alter(Duration at, int project, int lease, Alteration alteration, int amount)
            implements ByClient {}

    /** A change of a lease, by some hours or hosts; JOIN adds another reservation. */
    enum Alteration {
        LENGTHEN,
        SHORTEN,
        DEFER,
        GROW,
        SHRINK,
        JOIN,
        RENAME
    }

    /**
     * The removal of a reservation from a lease.
     *
     * @param reservation the index of the reservation
     * @param further the hosts of a reservation that joins in the same change; 0 for none
     */
    record Remove(Duration at, int project, int lease, int reservation, int further)
            implements ByClient {}

    record EndEarly(Duration at, int project, int lease) implements ByClient {}

    record Delete(Duration at, int project, int lease) implements ByClient {}

    /** A project's query of all its leases, and of one that may belong to another project. */
    record Look(Duration at, int project, int lease) implements ByClient {}

    /** A boot of servers on a lease, which may belong to another project. */
    record Boot(Duration at, int project, int lease) implements ByClient {}

    record Disable(Duration at, int host) implements ByOperator {}

    record Enable(Duration at, int host) implements ByOperator {}

    /** A capability change: adds a GPU to a host, or removes it. */
    record Relabel(Duration at, int host, boolean gpu) implements ByOperator {}

    /** An attribute change: the cloud reports a GPU of a host, or no longer does. */
    record Describe(Duration at, int host, boolean gpu) implements ByOperator {}

    /**
     * A report of the cloud on a host's outage or its end.
     *
     * @param extent the extent of the outage; null for none
     */
    record Report(Duration at, int host, @Nullable OutageExtent extent) implements ByOperator {}

    /** A retirement of a host, followed by a new enrolment. */
    record Renew(Duration at, int host) implements ByOperator {}

    record Retry(Duration at, int lease) implements ByOperator {}

    record ForceEnd(Duration at, int lease) implements ByOperator {}

    /**
     * The death of a node.
     *
     * @param passings the number of effects until then, counted from now on
     * @param downtime the time until its restart
     */
    record Kill(Duration at, int node, int passings, Duration downtime) implements Fault {}

    /**
     * A pause of a node, as under SIGSTOP; then the node continues its action.
     *
     * @param passings the number of effects until then, counted from now on
     * @param duration its length, longer or shorter than others wait for a node
     */
    record Pause(Duration at, int node, int passings, Duration duration) implements Fault {}

    /** A misbehaviour of the cloud for some operations. */
    record Misbehave(Duration at, String operation, InjectedFault how, int times)
            implements Fault {}

    /** A pause of a part of the engine. */
    record Stall(Duration at, Part part, Duration duration) implements Fault {}

    /** A part of the engine that can pause. */
    enum Part {
        TIMERS,
        TASKS,
        PROCESSES,
        INVENTORY,
        MEMORY
    }
}
