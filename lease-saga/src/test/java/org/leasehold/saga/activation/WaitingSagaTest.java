package org.leasehold.saga.activation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.TENURE;
import static org.leasehold.saga.fakes.Samples.lease;
import static org.leasehold.saga.fakes.Samples.reservation;

import org.axonframework.test.saga.SagaTestFixture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ReservationId;
import org.leasehold.saga.reaction.Reactions;
import org.leasehold.saga.task.InMemoryTasks;
import org.leasehold.saga.timer.Timer;
import org.leasehold.saga.timer.Timers;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

class WaitingSagaTest {

    private static final LeaseId BEFORE = lease(2);
    private static final ReservationId FIRST = reservation(1);
    private static final ReservationId SECOND = reservation(2);

    private final List<LeaseCommand> tries = new ArrayList<>();
    private final SagaTestFixture<WaitingSaga> waiting = new SagaTestFixture<>(WaitingSaga.class);

    @BeforeEach
    void collectTries() {
        Timers timers =
                new Timers() {
                    @Override
                    public void set(List<Timer> set) {
                        set.stream().map(Timer::command).forEach(tries::add);
                    }

                    @Override
                    public void cancel(List<String> keys) {}
                };
        waiting.registerResource(new Reactions(timers, new InMemoryTasks(Clock.systemUTC())));
    }

    @Test
    void a_lease_that_has_to_wait_tries_again_because_the_release_may_just_have_happened() {
        waiting.givenNoPriorActivity().whenPublishingA(delayedBy(FIRST)).expectActiveSagas(1);

        assertThat(tries).containsExactly(new LeaseCommand.StartLease(LEASE));
    }

    @Test
    void it_tries_again_whenever_it_is_told_so_because_memory_may_have_said_it() {
        waiting.givenAPublished(delayedBy(FIRST)).whenPublishingA(delayedBy(FIRST));

        assertThat(tries).hasSize(2);
    }

    @Test
    void it_tries_again_when_what_it_waits_for_is_released() {
        waiting.givenAPublished(delayedBy(FIRST, SECOND))
                .whenPublishingA(new ReservationReleased(BEFORE, SECOND));

        assertThat(tries).hasSize(2);
    }

    @Test
    void what_it_does_not_wait_for_any_more_does_not_wake_it() {
        waiting.givenAPublished(delayedBy(FIRST))
                .andThenAPublished(delayedBy(SECOND))
                .whenPublishingA(new ReservationReleased(BEFORE, FIRST));

        assertThat(tries).hasSize(2);
    }

    @Test
    void it_waits_no_more_once_it_starts() {
        waiting.givenAPublished(delayedBy(FIRST))
                .whenPublishingA(new LeaseStarting(LEASE, List.of(TENURE)))
                .expectActiveSagas(0);
    }

    private static LeaseDelayed delayedBy(ReservationId... awaited) {
        return new LeaseDelayed(LEASE, List.of(awaited), "node1 is not free yet");
    }
}
