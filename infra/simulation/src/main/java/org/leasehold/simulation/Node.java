package org.leasehold.simulation;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/** A machine that runs a process of the engine. The process starts, pauses, dies and restarts. */
final class Node {

    private final String machine;
    private final Engine engine;
    private final Others others;
    private EngineProcess process;
    private int starts = 1;
    private boolean alive = true;
    private int passingsToDeath = Integer.MAX_VALUE;
    private int passingsToPause = Integer.MAX_VALUE;
    private Duration pause = Duration.ZERO;
    private @Nullable Instant standsStillUntil;
    private boolean inTransaction;

    /** The world around a node between two of its effects. */
    interface Others {

        /** Lets others do some work. */
        void overtake(Node node);

        /** Returns true if the node may pause: no other node's stack is below its own. */
        boolean canWait();

        /** Lets others do all their work for some time. */
        void outlast(Node node, Duration pause);

        /** Called while commands wait for their group; the node may send others meanwhile. */
        void gather(Node node);
    }

    Node(String machine, Engine engine, Others others) {
        this.machine = machine;
        this.engine = engine;
        this.others = others;
        this.process = new EngineProcess(this, engine);
    }

    /** Starts another process in place of the dead one, which has left no memory. */
    void restart() {
        starts++;
        alive = true;
        passingsToDeath = Integer.MAX_VALUE;
        passingsToPause = Integer.MAX_VALUE;
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
        return alive && standsStillUntil == null && !inTransaction;
    }

    /** Returns the end of its pause; null if it does not pause. */
    @Nullable Instant standsStillUntil() {
        return standsStillUntil;
    }

    /** Kills the node after a number of effects. */
    void dieAfter(int passings) {
        passingsToDeath = passings;
    }

    /** Pauses the node after a number of effects. */
    void pauseAfter(int passings, Duration duration) {
        passingsToPause = passings;
        pause = duration;
    }

    /**
     * Is called between any two effects. Others may act here, unless this node is in a transaction
     * with writes that they must not see.
     *
     * @throws Killed if the process is dead, or dies here
     */
    void passing(String where) {
        surviving(where);
        if (engine.log().isClean()) {
            boolean before = inTransaction;
            inTransaction = before || engine.log().isOpen();
            if (passingsToPause-- <= 0 && others.canWait()) {
                passingsToPause = Integer.MAX_VALUE;
                standsStillUntil = engine.clock().instant().plus(pause);
                others.outlast(this, pause);
                standsStillUntil = null;
            } else {
                others.overtake(this);
            }
            inTransaction = before;
            surviving(where);
        }
    }

    /** Does the same as {@code passing}, but no others can act. */
    void surviving(String where) {
        if (alive) {
            alive = passingsToDeath-- > 0;
        }
        if (!alive) {
            throw new Killed(name() + ": " + where);
        }
    }

    /** Prevents a commit of a process that died while others acted; it gets no reason. */
    void requireAlive() {
        if (!alive) {
            throw new Killed(name() + ": nothing is committed any more");
        }
    }

    /** Lets other commands be sent before the waiting ones are decided. */
    void gather() {
        others.gather(this);
        surviving("commands are about to be decided");
    }
}
