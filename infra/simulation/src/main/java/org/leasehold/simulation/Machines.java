package org.leasehold.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The nodes: who is dead and when it is back, and what others take over in the meantime. */
final class Machines {

    /** Others take over the tasks of who has not been heard of for so long. */
    static final Duration FOUND_DEAD = Duration.ofSeconds(8);

    private final Engine engine;
    private final List<Machine> machines = new ArrayList<>();

    Machines(Engine engine, Node.Others others) {
        this.engine = engine;
        for (int n = 0; n < Scenario.NODES; n++) {
            machines.add(new Machine(new Node("node-" + n, engine, others)));
        }
    }

    /** A node, and what is to become of it. */
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

    /** Will not be back before then when it dies next. */
    void backAt(Node node, Instant instant) {
        of(node).backAt = instant;
    }

    /** Nothing is heard of it from now on; says when others will act. */
    Instant silent(Node node) {
        Machine machine = of(node);
        machine.missedAt = engine.clock().instant().plus(FOUND_DEAD);
        return machine.backAt.isAfter(machine.missedAt) ? machine.backAt : machine.missedAt;
    }

    /** It goes on. */
    void heard(Node node) {
        of(node).missedAt = Instant.MAX;
    }

    /** All that are dead come back as soon as they were missed. */
    void bringBack() {
        machines.forEach(machine -> machine.backAt = Instant.MIN);
    }

    /** Has tasks taken over from who is missed, and starts who is to be back. */
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

    /** When something is to become of any of them. */
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
