package org.leasehold.saga.timer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

class InMemoryTimersTest extends TimersContract {

    private final InMemoryTimers timers = new InMemoryTimers(clock);
    private final TimerDispatcher due = node(_ -> {});

    private TimerDispatcher node(Consumer<String> passing) {
        return timers.due(
                firing,
                sendings -> sendings.stream().map(BooleanSupplier::getAsBoolean).toList(),
                passing);
    }

    @Override
    Timers timers() {
        return timers;
    }

    @Override
    void fireUntil(String what, BooleanSupplier condition) {
        while (!condition.getAsBoolean() && due.fire() > 0) {}
        assertThat(condition.getAsBoolean()).as(what).isTrue();
    }

    @Test
    void a_timer_taken_by_a_dead_node_fires_on_another_node() {
        TimerDispatcher dying =
                node(
                        _ -> {
                            throw new AssertionError("killed");
                        });
        timers().set(List.of(start(1, clock.instant())));
        assertThatThrownBy(dying::fire).hasMessage("killed");
        assertThat(due.fire()).isZero();

        clock.putForward(TimerTable.CLAIM_TIMEOUT);

        assertThat(due.fire()).isOne();
        assertThat(commands.commands()).containsExactly(starting(1));
    }
}
