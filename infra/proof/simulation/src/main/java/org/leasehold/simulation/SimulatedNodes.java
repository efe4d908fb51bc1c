package org.leasehold.simulation;

import org.leasehold.simulation.scenario.Scenario;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The nodes: their deaths and restarts, and the hand-over of their tasks to others. */
final class SimulatedNodes {

    /** The silence of a node after which others take over its tasks. */
    static final Duration DETECTION_TIME = Duration.ofSeconds(8);

    private final DurableState engine;
    private final List<Machine> machines = new ArrayList<>();

    SimulatedNodes(DurableState engine, SimulatedNode.Others others) {
        this.engine = engine;
        for (int n = 0; n < Scenario.NODES; n++) {
            machines.add(new Machine(new SimulatedNode("node-" + n, engine, others)));
        }
    }

    /** A node, and the times of its next changes. */
    private static final class Machine {

        private final SimulatedNode node;
        private Instant restartAt = Instant.MIN;
        private Instant detectedAt = Instant.MAX;

        Machine(SimulatedNode node) {
            this.node = node;
        }
    }

    SimulatedNode get(int number) {
        return machines.get(number).node;
    }

    List<SimulatedNode> all() {
        return machines.stream().map(machine -> machine.node).toList();
    }

    /** Sets the earliest time of the next restart. */
    void scheduleRestart(SimulatedNode node, Instant instant) {
        machineOf(node).restartAt = instant;
    }

    /** Marks a node as silent; returns the time at which others act. */
    Instant markSilent(SimulatedNode node) {
        Machine machine = machineOf(node);
        machine.detectedAt = engine.clock().instant().plus(DETECTION_TIME);
        return machine.restartAt.isAfter(machine.detectedAt)
                ? machine.restartAt
                : machine.detectedAt;
    }

    /** Marks a node as running. */
    void markRunning(SimulatedNode node) {
        machineOf(node).detectedAt = Instant.MAX;
    }

    /** Lets all dead nodes restart at the time at which others miss them. */
    void scheduleAllRestarts() {
        machines.forEach(machine -> machine.restartAt = Instant.MIN);
    }

    /** Hands over the tasks of missed nodes, and restarts nodes that are due. */
    void applyDueChanges() {
        Instant now = engine.clock().instant();
        for (Machine machine : machines) {
            if (!machine.detectedAt.isAfter(now)) {
                machine.detectedAt = Instant.MAX;
                engine.tasks().revive(machine.node.name());
            }
            if (!machine.node.isAlive()
                    && machine.detectedAt.equals(Instant.MAX)
                    && !machine.restartAt.isAfter(now)) {
                machine.node.restart();
            }
        }
    }

    /** Returns the times of the next changes of all nodes. */
    Stream<Instant> nextTimes() {
        return machines.stream()
                .flatMap(
                        machine ->
                                Stream.of(
                                        machine.restartAt,
                                        machine.detectedAt,
                                        Objects.requireNonNullElse(
                                                machine.node.pausedUntil(), Instant.MAX)));
    }

    private Machine machineOf(SimulatedNode node) {
        return machines.stream().filter(m -> m.node.equals(node)).findFirst().orElseThrow();
    }
}
