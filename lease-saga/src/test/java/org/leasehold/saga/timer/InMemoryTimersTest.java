package org.leasehold.saga.timer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.function.BooleanSupplier;

class InMemoryTimersTest extends TimersContract {

    private final InMemoryTimers timers = new InMemoryTimers(clock);
    private final InMemoryTimers.Node node = timers.node("node", firing, _ -> {});

    @Override
    Timers timers() {
        return timers;
    }

    @Override
    void fireUntil(String what, BooleanSupplier condition) {
        while (!condition.getAsBoolean() && node.fireNext()) {}
        assertThat(condition.getAsBoolean()).as(what).isTrue();
    }

    @Test
    void what_a_dead_node_has_taken_is_fired_by_another() {
        InMemoryTimers.Node dying =
                timers.node(
                        "dying",
                        firing,
                        _ -> {
                            throw new AssertionError("killed");
                        });
        timers().set(List.of(start(1, clock.instant())));
        assertThat(catching(dying)).hasMessage("killed");
        assertThat(node.fireNext()).isFalse();

        timers.revive("dying");

        assertThat(node.fireNext()).isTrue();
        assertThat(commands.commands()).containsExactly(starting(1));
    }

    private static Throwable catching(InMemoryTimers.Node node) {
        try {
            node.fireNext();
        } catch (AssertionError killed) {
            return killed;
        }
        throw new IllegalStateException("it is alive");
    }
}
