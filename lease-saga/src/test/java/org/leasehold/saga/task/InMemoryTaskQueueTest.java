package org.leasehold.saga.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.leasehold.command.TaskRetries;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.operation.StuckActionQuery;

import java.time.Duration;
import java.util.function.BooleanSupplier;

class InMemoryTaskQueueTest extends TaskQueueContract {

    private final InMemoryTaskQueue tasks = new InMemoryTaskQueue(clock);
    private final InMemoryTaskQueue.Node node = tasks.node("node", run, _ -> {});

    @Override
    TaskQueue tasks() {
        return tasks;
    }

    @Override
    StuckActionQuery stuck() {
        return tasks;
    }

    @Override
    TaskRetries retries() {
        return tasks;
    }

    @Override
    void retryWaiting(ResourceKind plugin) {
        tasks.retryNow(plugin);
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
