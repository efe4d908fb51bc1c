package org.leasehold.simulation;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.OutageExtent;
import org.leasehold.resource.simulator.Misbehaviour;

import java.time.Duration;
import java.util.List;

/**
 * Something that happens to the engine from outside. Leases, projects, hosts and nodes are numbers,
 * so that a step means the same when others are left out.
 */
sealed interface Step {

    /** When, from the beginning on. */
    Duration at();

    /** What a project does. */
    sealed interface ByClient extends Step {

        int project();
    }

    /** What the operator does, or the world around the engine. */
    sealed interface ByOperator extends Step {}

    /** What goes wrong. */
    sealed interface Fault extends Step {}

    /**
     * A project asks for a lease.
     *
     * @param start from then on; now, if that is over
     * @param beforeEnd how long before the end that is announced; null for not at all
     * @param answerLost whether the client hears nothing and asks again, with the same key
     */
    record Ask(
            Duration at,
            int project,
            int lease,
            Duration start,
            Duration length,
            @Nullable Duration beforeEnd,
            List<Wish> wishes,
            boolean answerLost)
            implements ByClient {}

    /** Whole hosts; of those with a GPU only, if so wished. */
    record Wish(int minimum, int maximum, boolean gpu, boolean spread) {}

    record Alter(Duration at, int project, int lease, Alteration alteration, int amount)
            implements ByClient {}

    /** How a lease is to change, by some hours or hosts; what joins it is one more reservation. */
    enum Alteration {
        LENGTHEN,
        SHORTEN,
        DEFER,
        GROW,
        SHRINK,
        JOIN,
        RENAME
    }

    record EndEarly(Duration at, int project, int lease) implements ByClient {}

    record Delete(Duration at, int project, int lease) implements ByClient {}

    /** A project looks at all of its leases, and for one that may be another's. */
    record Look(Duration at, int project, int lease) implements ByClient {}

    /** Servers are booted on a lease, whether it is the project's or not. */
    record Boot(Duration at, int project, int lease) implements ByClient {}

    record Disable(Duration at, int host) implements ByOperator {}

    record Enable(Duration at, int host) implements ByOperator {}

    /** Gives a host a GPU, or takes it away. */
    record Relabel(Duration at, int host, boolean gpu) implements ByOperator {}

    /** The cloud begins to say that a host has a GPU, or ceases to. */
    record Describe(Duration at, int host, boolean gpu) implements ByOperator {}

    /**
     * The cloud says that it cannot give a host, or can again.
     *
     * @param extent how little of it there is; null if nothing is amiss
     */
    record Report(Duration at, int host, @Nullable OutageExtent extent) implements ByOperator {}

    /** Takes a host out of the inventory and enrols it anew. */
    record Renew(Duration at, int host) implements ByOperator {}

    record Retry(Duration at, int lease) implements ByOperator {}

    record ForceEnd(Duration at, int lease) implements ByOperator {}

    /**
     * A node dies.
     *
     * @param passings between which two of its effects, counted from now on
     * @param downtime how long it stays away
     */
    record Kill(Duration at, int node, int passings, Duration downtime) implements Fault {}

    /**
     * A node stands still, as under SIGSTOP, and then goes on with what it was about to do.
     *
     * @param passings between which two of its effects, counted from now on
     * @param duration longer than others wait for a node, or not
     */
    record Pause(Duration at, int node, int passings, Duration duration) implements Fault {}

    /** The cloud misbehaves for some operations. */
    record Misbehave(Duration at, String operation, Misbehaviour how, int times) implements Fault {}

    /** A part of the engine does nothing for a while. */
    record Stall(Duration at, Part part, Duration duration) implements Fault {}

    /** What can stall. */
    enum Part {
        TIMERS,
        TASKS,
        PROCESSES,
        INVENTORY,
        MEMORY
    }
}
