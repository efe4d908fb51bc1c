package org.leasehold.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.RetryCreation;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.vocabulary.LeaseId;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

class EngineCommandActivityTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final CommandContext ENGINE = CommandContext.ofEngine(NOW, "req-1", null);
    private static final CommandContext USER =
            new CommandContext(
                    NOW, "req-2", "ada", "astronomy", List.of("member"), "password", null);

    private static final LeaseId LEASE = new LeaseId(new UUID(0, 1));
    private static final LeaseCommand START = new StartLease(LEASE);

    private long nanos = -5;
    private final EngineCommandActivity activity = new EngineCommandActivity(() -> nanos);

    @Test
    void a_new_engine_is_idle() {
        assertThat(activity.isBusy()).isFalse();
    }

    @Test
    void the_engine_is_busy_during_a_command() {
        assertThat(activity.record(START, ENGINE, activity::isBusy)).isTrue();
    }

    @Test
    void the_engine_is_busy_until_it_has_reacted_to_a_command() {
        activity.record(START, ENGINE, () -> true);

        nanos += EngineCommandActivity.REACTION.toNanos() - 1;
        assertThat(activity.isBusy()).isTrue();
        nanos++;
        assertThat(activity.isBusy()).isFalse();
    }

    @Test
    void commands_of_users_do_not_count() {
        assertThat(activity.record(START, USER, activity::isBusy)).isFalse();
        assertThat(activity.isBusy()).isFalse();
    }

    @Test
    void attempts_of_retried_requests_do_not_count() {
        LeaseCommand retry = new RetryCreation(LEASE);

        assertThat(activity.record(retry, ENGINE, activity::isBusy)).isFalse();
    }

    @Test
    void a_failed_command_ends() {
        assertThatThrownBy(
                        () ->
                                activity.record(
                                        START,
                                        ENGINE,
                                        () -> {
                                            throw new IllegalStateException("no database");
                                        }))
                .hasMessage("no database");

        nanos += EngineCommandActivity.REACTION.toNanos();
        assertThat(activity.isBusy()).isFalse();
    }
}
