package org.leasehold.runtime.health;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.history.VitalThreads;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import java.util.List;
import java.util.Set;

class VitalThreadHealthTest {

    private static final VitalThreads ALIVE = Set::of;

    @Test
    void an_engine_with_all_vital_threads_is_up() {
        assertThat(new VitalThreadHealth(List.of(ALIVE, ALIVE)).health().getStatus())
                .isEqualTo(Status.UP);
    }

    @Test
    void an_engine_without_a_vital_thread_is_down_and_names_it() {
        Health health = new VitalThreadHealth(List.of(ALIVE, () -> Set.of("timers"))).health();
        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails()).containsEntry("ended", Set.of("timers"));
    }
}
