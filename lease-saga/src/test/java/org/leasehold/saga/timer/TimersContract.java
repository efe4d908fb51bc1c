package org.leasehold.saga.timer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.lease;

import org.junit.jupiter.api.Test;
import org.leasehold.command.Outcome;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.RetryCreation;
import org.leasehold.lease.LeaseCommand.RetryEarly;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.saga.Cause;
import org.leasehold.saga.fakes.FakeCommands;
import org.leasehold.saga.fakes.TestClock;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** The contract of {@link Timers}. */
abstract class TimersContract {

    static final Duration HOUR = Duration.ofHours(1);

    final TestClock clock = new TestClock();
    final FakeCommands commands = new FakeCommands();
    final List<Duration> lateness = new CopyOnWriteArrayList<>();

    final TimerCommandSender firing =
            new TimerCommandSender(
                    commands,
                    clock,
                    new LatenessListener() {
                        @Override
                        public void commandDecided(LeaseCommand command, Duration late) {
                            lateness.add(late);
                        }

                        @Override
                        public void reservationReady(Duration late) {}
                    });

    abstract Timers timers();

    /** Fires timers, one at a time, until a condition is true. */
    abstract void fireUntil(String what, BooleanSupplier condition);

    @Test
    void a_timer_fires_at_the_due_time_and_not_before() {
        timers().set(List.of(start(1, clock.instant().plus(HOUR)), start(2, clock.instant())));
        fireUntil("the second has fired", () -> commands.commands().contains(starting(2)));
        assertThat(commands.commands()).doesNotContain(starting(1));

        clock.putForward(HOUR);

        fireUntil("the first has fired", () -> commands.commands().contains(starting(1)));
        assertThat(commands.commands()).containsExactly(starting(2), starting(1));
    }

    @Test
    void a_timer_that_is_set_again_fires_once_at_the_new_time() {
        timers().set(List.of(start(1, clock.instant().plus(HOUR))));
        timers().set(List.of(start(1, clock.instant().plus(HOUR).plus(HOUR))));
        clock.putForward(HOUR);
        timers().set(List.of(start(2, clock.instant())));
        fireUntil("the other has fired", () -> commands.commands().contains(starting(2)));
        assertThat(commands.commands()).doesNotContain(starting(1));

        clock.putForward(HOUR);

        fireUntil("it has fired", () -> commands.commands().contains(starting(1)));
        assertThat(commands.commands()).containsOnlyOnce(starting(1));
    }

    @Test
    void a_cancelled_timer_does_not_fire() {
        timers().set(List.of(start(1, clock.instant().plus(HOUR))));
        timers().cancel(List.of("start:" + lease(1), "start:" + lease(3)));
        clock.putForward(HOUR);
        timers().set(List.of(start(2, clock.instant())));

        fireUntil("the other has fired", () -> commands.commands().contains(starting(2)));
        assertThat(commands.commands()).containsExactly(starting(2));
    }

    @Test
    void a_timer_that_is_set_again_while_it_fires_fires_again() {
        AtomicBoolean first = new AtomicBoolean(true);
        commands.answer(
                _ -> {
                    if (first.getAndSet(false)) {
                        timers().set(List.of(start(1, clock.instant().plus(HOUR))));
                    }
                    return new Outcome.Accepted<>(1);
                });
        timers().set(List.of(start(1, clock.instant().minusSeconds(1)), start(2, clock.instant())));
        fireUntil("both have fired", () -> commands.commands().size() == 2);

        clock.putForward(HOUR);

        fireUntil("it has fired again", () -> commands.commands().size() == 3);
        assertThat(commands.commands()).containsExactly(starting(1), starting(2), starting(1));
    }

    @Test
    void a_failed_command_is_retried_later() {
        AtomicBoolean broken = new AtomicBoolean(true);
        commands.answer(
                _ -> {
                    if (broken.get()) {
                        throw new IllegalStateException("the database is away");
                    }
                    return new Outcome.Accepted<>(1);
                });
        timers().set(List.of(start(1, clock.instant())));
        fireUntil("it was tried", () -> commands.commands().size() == 1);

        broken.set(false);
        clock.putForward(HOUR);

        fireUntil("it was tried again", () -> commands.commands().size() == 2);
    }

    @Test
    void a_rejected_command_is_not_retried() {
        commands.answer(
                sent ->
                        new Outcome.Rejected<>(
                                new LeaseRejection.LeaseNotFound(sent.command().leaseId())));
        timers().set(List.of(start(1, clock.instant())));
        fireUntil("it was sent", () -> commands.commands().size() == 1);

        clock.putForward(HOUR);
        timers().set(List.of(start(2, clock.instant())));

        fireUntil("the other was sent", () -> commands.commands().contains(starting(2)));
        assertThat(commands.commands()).containsOnlyOnce(starting(1));
    }

    @Test
    void overdue_ends_fire_before_overdue_starts() {
        List<Timer> overdue = new ArrayList<>();
        List<LeaseCommand> ends = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            overdue.add(start(i, clock.instant().minus(HOUR)));
            overdue.add(end(100 + i, clock.instant().minusSeconds(i)));
            ends.add(ending(100 + i));
        }
        timers().set(overdue);

        fireUntil("all have fired", () -> commands.commands().size() == 40);

        assertThat(commands.commands().subList(0, 20)).containsExactlyInAnyOrderElementsOf(ends);
    }

    @Test
    void overdue_retries_fire_after_overdue_starts() {
        List<Timer> overdue = new ArrayList<>();
        List<LeaseCommand> starts = new ArrayList<>();
        int retries = 2 * TimerTable.MAX_RETRIES;
        for (int i = 1; i <= retries; i++) {
            overdue.add(
                    i % 2 == 0
                            ? retry(100 + i, clock.instant().minus(HOUR))
                            : early(100 + i, clock.instant().minus(HOUR)));
        }
        for (int i = 1; i <= 20; i++) {
            overdue.add(start(i, clock.instant().minusSeconds(i)));
            starts.add(starting(i));
        }
        timers().set(overdue);

        fireUntil("all have fired", () -> commands.commands().size() == retries + 20);

        assertThat(commands.commands().subList(0, 20)).containsExactlyInAnyOrderElementsOf(starts);
    }

    @Test
    void a_timer_command_has_a_cause_and_is_not_decided_before_the_due_time() {
        Instant due = clock.instant().minus(HOUR);
        timers().set(List.of(start(1, due)));
        fireUntil("it has fired", () -> commands.sent().size() == 1);

        firing.send(start(2, clock.instant().plus(HOUR)));

        assertThat(commands.sent().getFirst().context().now()).isAfter(due.plus(HOUR));
        assertThat(commands.sent().getLast().context().now())
                .isAfterOrEqualTo(clock.instant().plus(HOUR).minusSeconds(30));
        assertThat(commands.sent().getFirst().context().causation()).isEqualTo("event-1");
        assertThat(commands.sent().getFirst().context().requestId()).isEqualTo("req-1");
    }

    @Test
    void lateness_is_measured_from_the_due_time() {
        timers().set(List.of(start(1, clock.instant().plus(HOUR))));
        clock.putForward(HOUR.plus(HOUR));

        fireUntil("it has fired", () -> lateness.size() == 1);
        assertThat(lateness.getFirst()).isBetween(HOUR, HOUR.plusSeconds(30));
    }

    static StartLease starting(int lease) {
        return new StartLease(lease(lease));
    }

    static EndLease ending(int lease) {
        return new EndLease(lease(lease), EndCause.WINDOW_OVER);
    }

    static Timer start(int lease, Instant due) {
        return new Timer(
                "start:" + lease(lease),
                due,
                starting(lease),
                new Cause("event-1", "req-1", Instant.EPOCH));
    }

    static Timer retry(int lease, Instant due) {
        return new Timer(
                "retry:" + lease(lease),
                due,
                new RetryCreation(lease(lease)),
                new Cause("event-1", "req-1", Instant.EPOCH));
    }

    static Timer early(int lease, Instant due) {
        return new Timer(
                "early:" + lease(lease),
                due,
                new RetryEarly(lease(lease)),
                new Cause("event-1", "req-1", Instant.EPOCH));
    }

    static Timer end(int lease, Instant due) {
        return new Timer(
                "end:" + lease(lease),
                due,
                ending(lease),
                new Cause("event-1", "req-1", Instant.EPOCH));
    }
}
