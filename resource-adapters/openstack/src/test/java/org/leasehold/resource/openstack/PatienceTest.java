package org.leasehold.resource.openstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

class PatienceTest {

    private final AtomicInteger looks = new AtomicInteger();

    @Test
    void it_lasts_for_its_looks_however_long_one_takes() {
        assertThat(TimeOfPauses.looks(3).left(this::look)).contains("look 4");
        assertThat(TimeOfPauses.looks(3).left(this::look)).contains("look 8");
    }

    @Test
    void it_ends_with_the_first_look_that_finds_nothing_left() {
        TimeOfPauses.looks(10).await(() -> look().filter(_ -> looks.get() < 3));

        assertThat(looks).hasValue(3);
    }

    @Test
    void what_is_left_at_its_end_is_the_failure() {
        assertThatThrownBy(() -> TimeOfPauses.looks(1).await(this::look))
                .isInstanceOf(CloudFailure.class)
                .hasMessageContaining("look 2");
    }

    @Test
    void the_time_of_this_machine_passes_while_a_thread_pauses() throws InterruptedException {
        Duration pause = Duration.ofMillis(2);
        long before = Patience.Time.REAL.nanos();

        Patience.Time.REAL.pause(pause);

        assertThat(Patience.Time.REAL.nanos() - before).isGreaterThanOrEqualTo(pause.toNanos());
    }

    private Optional<String> look() {
        return Optional.of("look " + looks.incrementAndGet());
    }
}
