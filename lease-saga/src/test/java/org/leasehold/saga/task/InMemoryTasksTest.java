package org.leasehold.saga.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.leasehold.command.Retries;
import org.leasehold.query.Stuck;

import java.time.Duration;
import java.util.function.BooleanSupplier;

class InMemoryTasksTest extends TasksContract {

    private final InMemoryTasks tasks = new InMemoryTasks(clock);
    private final InMemoryTasks.Node node = tasks.node("node", run, _ -> {});

    @Override
    Tasks tasks() {
        return tasks;
    }

    @Override
    Stuck stuck() {
        return tasks;
    }

    @Override
    Retries retries() {
        return tasks;
    }

    @Override
    void runUntil(String what, BooleanSupplier condition) {
        for (int step = 0; step < 100 && !condition.getAsBoolean(); step++) {
            if (!node.runNext()) {
                clock.putForward(Duration.ofMillis(10));
            }
        }
        assertThat(condition.getAsBoolean()).as(what).isTrue();
    }
}
