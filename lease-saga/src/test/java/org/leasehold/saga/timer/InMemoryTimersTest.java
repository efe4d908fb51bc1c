package org.leasehold.saga.timer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.BooleanSupplier;

class InMemoryTimersTest extends TimersContract {

    private final InMemoryTimers timers = new InMemoryTimers(clock, firing);

    @Override
    Timers timers() {
        return timers;
    }

    @Override
    void fireUntil(String what, BooleanSupplier condition) {
        while (!condition.getAsBoolean() && timers.fireNext()) {}
        assertThat(condition.getAsBoolean()).as(what).isTrue();
    }
}
