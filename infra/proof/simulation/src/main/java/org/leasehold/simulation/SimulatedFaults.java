package org.leasehold.simulation;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.simulation.scenario.Step;

import java.time.Instant;
import java.util.Optional;

/** The faults of nodes, of the cloud, and of parts of the engine. They excuse lateness. */
final class SimulatedFaults {

    private final DurableState engine;
    private final SimulatedNodes nodes;
    private final PendingWork pendingWork;
    private final LatenessInvariant lateness;
    private final ActiveCloudFaults cloudFaults = new ActiveCloudFaults();

    SimulatedFaults(
            DurableState engine,
            SimulatedNodes nodes,
            PendingWork pendingWork,
            LatenessInvariant lateness) {
        this.engine = engine;
        this.nodes = nodes;
        this.pendingWork = pendingWork;
        this.lateness = lateness;
    }

    /** Starts a fault. */
    void start(Step.Fault fault) {
        Instant now = engine.clock().instant();
        switch (fault) {
            case Step.Kill kill -> {
                SimulatedNode node = nodes.get(kill.node());
                node.dieAfter(kill.passings());
                nodes.scheduleRestart(node, now.plus(kill.downtime()));
                lateness.excuseUntil(now.plus(kill.downtime()).plus(SimulatedNodes.DETECTION_TIME));
            }
            case Step.Pause pause ->
                    nodes.get(pause.node()).pauseAfter(pause.passings(), pause.duration());
            case Step.Misbehave misbehave -> cloudFaults.add(misbehave);
            case Step.Stall stall -> {
                pendingWork.stall(stall.part(), now.plus(stall.duration()));
                lateness.excuseUntil(now.plus(stall.duration()));
            }
        }
    }

    /** Returns the fault of the cloud's next call; empty if it works. */
    Optional<InjectedFault> nextCloudFault(String operation, @Nullable String host) {
        return cloudFaults.nextFault(operation, host);
    }

    /** Ends all faults; dead nodes restart. */
    void endAll() {
        cloudFaults.clear();
        pendingWork.endStalls();
        nodes.scheduleAllRestarts();
    }
}
