package org.leasehold.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The nodes: their deaths and restarts, and the hand-over of their tasks to others. */
final class Machines {

    /** The silence of a node after which others take over its tasks. */
    static final Duration FOUND_DEAD = Duration.ofSeconds(8);

    private final Engine engine;
    private final List<Machine> machines = new ArrayList<>();

    Machines(Engine engine, Node.Others others) {
        this.engine = engine;
        for (int n = 0; n < Scenario.NODES; n++) {
            machines.add(new Machine(new Node("node-" + n, engine, others)));
        }
    }

    /** A node, and the times of its next changes. */
    private static final class Machine {

        private final Node node;
        private Instant backAt = Instant.MIN;
        private Instant missedAt = Instant.MAX;

        Machine(Node node) {
            this.node = node;
        }
    }

    Node get(int number) {
        return machines.get(number).node;
    }

    List<Node> all() {
        return machines.stream().map(machine -> machine.node).toList();
    }

    /** Sets the earliest time of the next restart. */
    void backAt(Node node, Instant instant) {
        of(node).backAt = instant;
    }

    /** Marks a node as silent; returns the time at which others act. */
    Instant silent(Node node) {
        Machine machine = of(node);
        machine.missedAt = engine.clock().instant().plus(FOUND_DEAD);
        return machine.backAt.isAfter(machine.missedAt) ? machine.backAt : machine.missedAt;
    }

    /** Marks a node as running. */
    void heard(Node node) {
        of(node).missedAt = Instant.MAX;
    }

    /** Lets all dead nodes restart as soon as they were missed. */
    void bringBack() {
        machines.forEach(machine -> machine.backAt = Instant.MIN);
    }

    /** Hands over the tasks of missed nodes, and restarts nodes that are due. */
    void settle() {
        Instant now = engine.clock().instant();
        for (Machine machine : machines) {
            if (!machine.missedAt.isAfter(now)) {
                machine.missedAt = Instant.MAX;
                engine.tasks().revive(machine.node.name());
            }
            if (!machine.node.isAlive()
                    && machine.missedAt.equals(Instant.MAX)
                    && !machine.backAt.isAfter(now)) {
                machine.node.restart();
            }
        }
    }

    /** Returns the times of the next changes of all nodes. */
    Stream<Instant> next() {
        return machines.stream()
                .flatMap(
                        machine ->
                                Stream.of(
                                        machine.backAt,
                                        machine.missedAt,
                                        Objects.requireNonNullElse(
                                                machine.node.standsStillUntil(), Instant.MAX)));
    }

    private Machine of(Node node) {
        return machines.stream().filter(m -> m.node.equals(node)).findFirst().orElseThrow();
    }
}
