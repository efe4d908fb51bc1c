package org.leasehold.simulation;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/**
 * A machine on which a process of the engine is started, stands still, dies, and is started again.
 */
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

    /** What goes on around a node while it is between two of its effects. */
    interface Others {

        /** Others may do something now. */
        void overtake(Node node);

        /** Whether the node may stand still: nobody's stack is below its own. */
        boolean canWait();

        /** Others do all that they have to do for some time. */
        void outlast(Node node, Duration pause);

        /** The node has commands that wait for their group; it may send others meanwhile. */
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

    /** The name of the present process. */
    String name() {
        return machine + "." + starts;
    }

    EngineProcess process() {
        return process;
    }

    boolean isAlive() {
        return alive;
    }

    /** Whether it can begin something, beside what it has begun already. */
    boolean isFree() {
        return alive && standsStillUntil == null && !inTransaction;
    }

    /** Until when it stands still; null while it does not. */
    @Nullable Instant standsStillUntil() {
        return standsStillUntil;
    }

    /** Dies so many effects later. */
    void dieAfter(int passings) {
        passingsToDeath = passings;
    }

    /** Stands still so many effects later. */
    void pauseAfter(int passings, Duration duration) {
        passingsToPause = passings;
        pause = duration;
    }

    /**
     * Is called between any two effects. Others may act here, unless this one is in the middle of a
     * transaction that has written what they must not see.
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

    /** The same where nobody else can act. */
    void surviving(String where) {
        if (alive) {
            alive = passingsToDeath-- > 0;
        }
        if (!alive) {
            throw new Killed(name() + ": " + where);
        }
    }

    /** What died while others acted commits nothing, and does not hear why. */
    void requireAlive() {
        if (!alive) {
            throw new Killed(name() + ": nothing is committed any more");
        }
    }

    /** Lets other commands be sent before those that wait are decided. */
    void gather() {
        others.gather(this);
        surviving("commands are about to be decided");
    }
}
