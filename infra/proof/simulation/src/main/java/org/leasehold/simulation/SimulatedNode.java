package org.leasehold.simulation;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/** A machine that runs a process of the engine. The process starts, pauses, dies and restarts. */
final class SimulatedNode {

    private final String machine;
    private final DurableState engine;
    private final Others others;
    private EngineProcess process;
    private int starts = 1;
    private boolean alive = true;
    private int effectsToDeath = Integer.MAX_VALUE;
    private int effectsToPause = Integer.MAX_VALUE;
    private Duration pause = Duration.ZERO;
    private @Nullable Instant pausedUntil;
    private boolean inTransaction;

    /** The other nodes and users, which act between two effects of a node. */
    interface Others {

        /** Lets others do some work. */
        void letOthersAct(SimulatedNode node);

        /** Returns true if the node may pause: no other node's stack is below its own. */
        boolean canPause();

        /** Lets others do all their work for some time. */
        void letOthersActFor(SimulatedNode node, Duration pause);

        /** Called while commands wait for their group; the node may send others meanwhile. */
        void collectCommands(SimulatedNode node);
    }

    SimulatedNode(String machine, DurableState engine, Others others) {
        this.machine = machine;
        this.engine = engine;
        this.others = others;
        this.process = new EngineProcess(this, engine);
    }

    /** Starts another process in place of the dead one, which has left no memory. */
    void restart() {
        starts++;
        alive = true;
        effectsToDeath = Integer.MAX_VALUE;
        effectsToPause = Integer.MAX_VALUE;
        process = new EngineProcess(this, engine);
    }

    /** Returns the name of the present process. */
    String name() {
        return machine + "." + starts;
    }

    EngineProcess process() {
        return process;
    }

    boolean isAlive() {
        return alive;
    }

    /** Returns true if the node can begin other work. */
    boolean isFree() {
        return alive && pausedUntil == null && !inTransaction;
    }

    /** Returns the end of its pause; null if it does not pause. */
    @Nullable Instant pausedUntil() {
        return pausedUntil;
    }

    /** Kills the node after a number of effects. */
    void dieAfter(int passings) {
        effectsToDeath = passings;
    }

    /** Pauses the node after a number of effects. */
    void pauseAfter(int passings, Duration duration) {
        effectsToPause = passings;
        pause = duration;
    }

    /**
     * Is called between any two effects. Others may act here, unless this node is in a transaction
     * with writes that they must not see.
     *
     * @throws NodeDeath if the process is dead, or dies here
     */
    void passCrashPoint(String where) {
        passDeathPoint(where);
        if (engine.log().isClean()) {
            boolean before = inTransaction;
            inTransaction = before || engine.log().isOpen();
            if (effectsToPause-- <= 0 && others.canPause()) {
                effectsToPause = Integer.MAX_VALUE;
                pausedUntil = engine.clock().instant().plus(pause);
                others.letOthersActFor(this, pause);
                pausedUntil = null;
            } else {
                others.letOthersAct(this);
            }
            inTransaction = before;
            passDeathPoint(where);
        }
    }

    /** Does the same as {@code passing}, but no others can act. */
    void passDeathPoint(String where) {
        if (alive) {
            alive = effectsToDeath-- > 0;
        }
        if (!alive) {
            throw new NodeDeath(name() + ": " + where);
        }
    }

    /** Prevents a commit of a process that died while others acted; it gets no reason. */
    void requireAlive() {
        if (!alive) {
            throw new NodeDeath(name() + ": nothing is committed any more");
        }
    }

    /** Lets other commands be sent before the waiting ones are decided. */
    void collectCommands() {
        others.collectCommands(this);
        passDeathPoint("commands are about to be decided");
    }
}
