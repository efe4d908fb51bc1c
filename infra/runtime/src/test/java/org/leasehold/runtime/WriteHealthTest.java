package org.leasehold.runtime;

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

    private final WriteWatch watch = new WriteWatch(() -> now, () -> head);
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
    void a_write_without_room_makes_a_node_unready_until_one_succeeds() {
        watch.failed(failure("53100"));
        assertThat(status()).isEqualTo(Status.DOWN);
        assertThat(health.health().getDetails()).containsEntry("reason", "could not extend file");

        head++;
        watch.succeeded(head);
        assertThat(status()).isEqualTo(Status.UP);
    }

    @Test
    void an_answer_that_was_stored_before_the_failed_write_ends_no_failure() {
        watch.failed(failure("53100"));

        watch.succeeded(head - 3);
        watch.succeeded(head);

        assertThat(status()).isEqualTo(Status.DOWN);
    }

    @Test
    void a_failed_write_without_a_further_one_is_forgotten() {
        watch.failed(failure("53100"));
        pass(WriteWatch.REMEMBERED);
        assertThat(status()).isEqualTo(Status.DOWN);

        pass(Duration.ofSeconds(1));
        assertThat(status()).isEqualTo(Status.UP);
    }

    @Test
    void a_database_that_is_read_only_or_fails_takes_no_writes() {
        assertThat(WriteWatch.reason(failure("25006"))).isPresent();
        assertThat(WriteWatch.reason(failure("58030"))).isPresent();
    }

    @Test
    void a_conflict_or_a_lost_connection_says_nothing_about_other_writes() {
        for (String state :
                new String[] {"40001", "23505", "08006", "55P03", "53300", "53400", ""}) {
            watch.failed(failure(state));
        }
        watch.failed(new IllegalStateException("no database has said anything"));
        assertThat(status()).isEqualTo(Status.UP);
    }

    @Test
    void a_database_without_room_is_noticed_without_a_write() {
        trial = Optional.of("no space left on device");
        assertThat(status()).isEqualTo(Status.DOWN);
        assertThat(health.health().getDetails()).containsEntry("reason", "no space left on device");
    }

    @Test
    void many_probes_cause_one_trial_in_a_while() {
        for (int i = 0; i < 100; i++) {
            status();
        }
        assertThat(trials).isEqualTo(1);

        trial = Optional.of("no space left on device");
        pass(WriteHealth.BETWEEN_TRIALS);
        assertThat(status()).isEqualTo(Status.DOWN);
        assertThat(trials).isEqualTo(2);
    }
}
