package org.leasehold.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.saga.node.FailedPolls.Purpose;

import java.util.List;

/** Tests the counters of failed polls. */
class FailedPollCountersTest {

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final FailedPollCounters counters =
            new FailedPollCounters(
                    List.of(ResourceKind.PHYSICAL_HOST.value(), ResourceKind.SERVER.value()),
                    registry);

    @Test
    void a_failed_poll_counts_by_purpose_and_kind() {
        counters.record(Purpose.DEFAULT_LEASES, ResourceKind.SERVER);
        counters.record(Purpose.DEFAULT_LEASES, ResourceKind.SERVER);

        assertThat(count(Purpose.DEFAULT_LEASES, ResourceKind.SERVER)).isEqualTo(2);
        assertThat(count(Purpose.LEASE_TAGS, ResourceKind.SERVER)).isZero();
        assertThat(count(Purpose.DEFAULT_LEASES, ResourceKind.PHYSICAL_HOST)).isZero();
    }

    @Test
    void all_counters_exist_from_the_start() {
        assertThat(registry.find("leasehold.cloud.polls.failed").counters())
                .hasSize(2 * Purpose.values().length);
    }

    private double count(Purpose purpose, ResourceKind kind) {
        return registry.get("leasehold.cloud.polls.failed")
                .tag("purpose", purpose.label())
                .tag("kind", kind.value())
                .counter()
                .count();
    }
}
