package org.leasehold.runtime.health;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

class WriteHealthTest {

    private long now;
    private int trials;
    private Optional<String> trial = Optional.empty();

    private long head = 7;

    private final LastWriteOutcome watch = new LastWriteOutcome(() -> now, () -> head);
    private final WriteHealth health =
            new WriteHealth(
                    watch,
                    () -> {
                        trials++;
                        return trial;
                    },
                    () -> now);

    private static RuntimeException failure(String state) {
        return new IllegalStateException(new SQLException("could not extend file", state));
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private Status status() {
        return health.health().getStatus();
    }

    @Test
    void a_node_that_has_written_nothing_yet_is_up() {
        assertThat(status()).isEqualTo(Status.UP);
    }

    @Test
    void a_disk_full_error_takes_the_node_down_until_a_write_succeeds() {
        watch.recordFailure(failure("53100"));
        assertThat(status()).isEqualTo(Status.DOWN);
        assertThat(health.health().getDetails()).containsEntry("reason", "could not extend file");

        head++;
        watch.recordSuccess(head);
        assertThat(status()).isEqualTo(Status.UP);
    }

    @Test
    void a_write_stored_before_the_failure_does_not_end_the_failure() {
        watch.recordFailure(failure("53100"));

        watch.recordSuccess(head - 3);
        watch.recordSuccess(head);

        assertThat(status()).isEqualTo(Status.DOWN);
    }

    @Test
    void a_write_failure_expires_after_a_time() {
        watch.recordFailure(failure("53100"));
        pass(LastWriteOutcome.FAILURE_RETENTION);
        assertThat(status()).isEqualTo(Status.DOWN);

        pass(Duration.ofSeconds(1));
        assertThat(status()).isEqualTo(Status.UP);
    }

    @Test
    void a_read_only_or_io_error_counts_as_a_write_failure() {
        assertThat(LastWriteOutcome.findReason(failure("25006"))).isPresent();
        assertThat(LastWriteOutcome.findReason(failure("58030"))).isPresent();
    }

    @Test
    void a_conflict_or_lost_connection_keeps_the_node_up() {
        for (String state :
                new String[] {"40001", "23505", "08006", "55P03", "53300", "53400", ""}) {
            watch.recordFailure(failure(state));
        }
        watch.recordFailure(new IllegalStateException("no database has said anything"));
        assertThat(status()).isEqualTo(Status.UP);
    }

    @Test
    void a_failed_trial_takes_the_node_down_without_a_write() {
        trial = Optional.of("no space left on device");
        assertThat(status()).isEqualTo(Status.DOWN);
        assertThat(health.health().getDetails()).containsEntry("reason", "no space left on device");
    }

    @Test
    void many_probes_cause_one_trial_per_interval() {
        for (int i = 0; i < 100; i++) {
            status();
        }
        assertThat(trials).isEqualTo(1);

        trial = Optional.of("no space left on device");
        pass(WriteHealth.CHECK_INTERVAL);
        assertThat(status()).isEqualTo(Status.DOWN);
        assertThat(trials).isEqualTo(2);
    }
}
