package org.leasehold.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.RESERVATION;
import static org.leasehold.saga.fakes.Samples.TENURE;
import static org.leasehold.saga.fakes.Samples.reservation;

import org.axonframework.config.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.saga.fakes.Await;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.Tenure;
import org.leasehold.vocabulary.UserId;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A test of all sagas, timers and tasks together, with a write side that accepts everything. */
class SagaLifecycleTest extends SagaFixture {

    @Test
    void a_lease_starts_announces_the_end_and_ends_at_the_planned_times() {
        publish(requested(start.plusSeconds(3000)));
        Await.until("timers are set", () -> timers() == 3);
        assertThat(plugins.calls()).isEmpty();

        clock.putForward(HOUR);
        Await.until("started", () -> sent(new LeaseCommand.ConfirmStart(LEASE, TENURE)));

        clock.putForward(Duration.ofMinutes(50));
        Await.until("announced", () -> plugins.calls().contains("before end " + RESERVATION));

        clock.putForward(HOUR);
        Await.until("ended", () -> sent(new LeaseCommand.ConfirmRelease(LEASE, TENURE)));
        assertThat(plugins.calls())
                .containsExactly(
                        "start " + RESERVATION, "before end " + RESERVATION, "end " + RESERVATION);
        Await.until("nothing is left", () -> timers() == 0 && rows("plugin_task") == 0);
    }

    @Test
    void reservations_start_one_after_the_other_across_restarts() {
        Tenure later = new Tenure(reservation(12), 5);
        world.put(Samples.view(LEASE, period, RESERVATION, reservation(12)));
        commands.answer(_ -> new Outcome.Accepted<>(1));
        axon.shutdown();

        handleOnNewNode(
                new LeaseEvent.LeaseStarting(
                        LEASE, List.of(TENURE, later), List.of(reservation(12))),
                confirmation(TENURE));
        assertThat(plugins.calls()).containsExactly("start " + RESERVATION);
        handleOnNewNode(
                new LeaseEvent.ReservationActivated(LEASE, RESERVATION, null, List.of(later)),
                confirmation(later));

        assertThat(plugins.calls())
                .containsExactly("start " + RESERVATION, "start " + reservation(12));
    }

    @Test
    void a_removal_goes_on_across_restarts() {
        commands.answer(_ -> new Outcome.Accepted<>(1));
        axon.shutdown();

        handleOnNewNode(
                new LeaseEvent.ReservationRemoved(LEASE, RESERVATION, TENURE),
                new LeaseCommand.ConfirmRelease(LEASE, TENURE));
        publish(new LeaseEvent.ReservationReleased(LEASE, RESERVATION));

        assertThat(plugins.calls()).containsExactly("end " + RESERVATION);
    }

    /** Lets a new node handle an event, until a command is sent and no task is left. */
    private void handleOnNewNode(LeaseEvent event, LeaseCommand expected) {
        publish(event);
        Configuration node = axon();
        node.start();
        try {
            Await.until("it is confirmed", () -> sent(expected) && rows("plugin_task") == 0);
        } finally {
            node.shutdown();
        }
    }

    private static LeaseCommand confirmation(Tenure tenure) {
        return new LeaseCommand.ConfirmStart(LEASE, tenure);
    }

    @Test
    void a_lease_that_was_created_before_the_sagas_started_gets_timers() {
        axon.shutdown();
        publish(requested(null));
        Configuration later = axon();
        later.start();
        try {
            Await.until("timers are set", () -> timers() == 2);
        } finally {
            later.shutdown();
        }
    }

    @Test
    void a_rescheduled_lease_starts_at_the_new_time() {
        publish(requested(null));
        publish(
                new LeaseEvent.LeaseRescheduled(
                        LEASE,
                        new LeasePeriod(start.plus(HOUR), start.plus(HOUR).plus(HOUR)),
                        null));
        Await.until("its timer is set", () -> startsAfter(start.plusSeconds(1)));
        clock.putForward(HOUR.plusMinutes(1));
        assertThat(commands.commands()).isEmpty();

        clock.putForward(HOUR);

        Await.until("started", () -> sent(new LeaseCommand.ConfirmStart(LEASE, TENURE)));
    }

    @Test
    void a_lease_that_ends_early_leaves_no_timers() {
        publish(requested(start.plusSeconds(3000)));
        Await.until("timers are set", () -> timers() == 3);

        publish(new LeaseEvent.LeaseEnding(LEASE, EndCause.DELETED, List.of()));

        Await.until("no timers are left", () -> timers() == 0);
    }

    @Test
    void a_delayed_lease_retries_at_once_and_after_an_awaited_release() {
        commands.answer(_ -> new Outcome.Accepted<>(1));
        publish(delayedBy(7));
        Await.until("it tried again", () -> starts() == 1);
        publish(delayedBy(8));
        Await.until("it tried again, for another one", () -> starts() == 2);

        publish(released(7));
        publish(released(9));
        publish(released(8));

        Await.until("it tried again", () -> starts() == 3);
        Await.until("no timer is left", () -> timers() == 0);

        publish(new LeaseEvent.LeaseStarting(LEASE, List.of(TENURE)));
        Await.until("it does not wait any more", () -> rows("waiting") == 0);
        assertThat(starts()).isEqualTo(3);
    }

    @Test
    void the_plugin_is_called_for_an_enrolled_and_a_retired_resource() {
        ResourceId id = new ResourceId(1);
        world.enrol(id, "node1");
        publish(
                new ResourceEvent.ResourceEnrolled(
                        id, ResourceKind.PHYSICAL_HOST, "node1", null, null, Map.of(), Map.of()));
        Await.until("enrolled", () -> plugins.calls().contains("enrol node1"));

        world.retire(id);
        publish(new ResourceEvent.ResourceRetired(id));

        Await.until("retired", () -> plugins.calls().contains("retire node1"));
        Await.until("it is forgotten", () -> rows("saga_entry") == 0);
    }

    private LeaseEvent requested(@Nullable Instant beforeEnd) {
        return new LeaseEvent.LeaseRequested(
                LEASE,
                new ProjectId("astronomy"),
                new UserId("ada"),
                "telescope",
                period,
                beforeEnd,
                List.of(),
                null);
    }

    private static LeaseEvent delayedBy(int awaited) {
        return new LeaseEvent.LeaseDelayed(
                LEASE, List.of(reservation(awaited)), "node1 is not free yet");
    }

    private static LeaseEvent released(int reservation) {
        return new LeaseEvent.ReservationReleased(
                Samples.lease(reservation), reservation(reservation));
    }

    private long starts() {
        return commands.commands().stream()
                .filter(command -> command instanceof LeaseCommand.StartLease)
                .count();
    }

    private boolean startsAfter(Instant instant) {
        return jdbc
                .queryForList(
                        "SELECT execution_time FROM timer WHERE task_instance LIKE 'start:%'",
                        Timestamp.class)
                .stream()
                .anyMatch(time -> time.toInstant().isAfter(instant));
    }
}
