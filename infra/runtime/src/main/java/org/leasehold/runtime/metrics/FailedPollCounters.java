package org.leasehold.runtime.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.saga.node.FailedPolls;

import java.util.Collection;

/** Counters of this node's polls that the cloud did not answer. */
final class FailedPollCounters implements FailedPolls {

    private final MeterRegistry registry;

    /** Registers all counters: one that first appears at one has not grown. */
    FailedPollCounters(Collection<String> kinds, MeterRegistry registry) {
        this.registry = registry;
        for (String kind : kinds) {
            for (Purpose purpose : Purpose.values()) {
                counter(purpose, new ResourceKind(kind));
            }
        }
    }

    @Override
    public void record(Purpose purpose, ResourceKind kind) {
        counter(purpose, kind).increment();
    }

    private Counter counter(Purpose purpose, ResourceKind kind) {
        return Counter.builder("leasehold.cloud.polls.failed")
                .description("Polls that the cloud did not answer")
                .tag("purpose", purpose.label())
                .tag("kind", kind.value())
                .register(registry);
    }
}
