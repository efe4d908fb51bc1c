package org.leasehold.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.CalendarRequest.TakeUp;
import org.leasehold.command.calendar.Grant;
import org.leasehold.lease.LeaseCommand.RecordOutage;
import org.leasehold.lease.LeaseCommand.RetryCreation;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.saga.timer.Timer;
import org.leasehold.saga.timer.Timers;
import org.leasehold.simulation.memory.HostPlugins;
import org.leasehold.vocabulary.ReservationId;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** Tests that the simulation detects leases that start, end or are retried at a wrong time. */
class InjectedTimerBugsTest extends InjectedBugsFixture {

    @Test
    void the_simulation_detects_a_start_before_the_release() {
        assertThat(complaint(Impatient::new)).contains("took up");
    }

    private static final class Impatient extends BrokenCalendar {
        @Override
        <D> D execute(
                Calendar intact,
                CalendarRequest<?> request,
                Function<Grant, D> decide,
                Predicate<D> keep) {
            if (request instanceof TakeUp(var lease, var project, var reservations, _, _)) {
                TakeUp inTables = new TakeUp(lease, project, reservations, true);
                Grant grant = intact.executeAndDecide(inTables, each -> each, _ -> false);
                if (grant instanceof Grant.Awaited(var holders, _)) {
                    holders.forEach(holder -> letGo(intact, holder));
                }
                return intact.executeAndDecide(inTables, decide, keep);
            }
            return intact.executeAndDecide(request, decide, keep);
        }

        private static void letGo(Calendar intact, ReservationId holder) {
            intact.executeAndDecide(new LetGo(holder, Set.of()), grant -> grant, _ -> true);
        }
    }

    @Test
    void the_simulation_detects_a_lost_timer() {
        assertThat(complaint(Forgetful::new))
                .containsAnyOf("was due at", "in its way", "never", "has not heard of it");
    }

    private static final class Forgetful extends EngineParts {

        private int set;

        @Override
        Timers timers(Timers timers) {
            return new Timers() {
                @Override
                public void set(List<Timer> wanted) {
                    timers.set(wanted.stream().filter(_ -> ++set % 20 != 0).toList());
                }

                @Override
                public void cancel(List<String> keys) {
                    timers.cancel(keys);
                }
            };
        }
    }

    @Test
    void the_simulation_detects_a_lost_recovery_timer() {
        assertThat(complaint(Discreet::new)).contains("has not heard of it");
    }

    private static final class Discreet extends EngineParts {
        @Override
        Timers timers(Timers timers) {
            return new Timers() {
                @Override
                public void set(List<Timer> wanted) {
                    timers.set(wanted.stream().filter(timer -> !isRecovery(timer)).toList());
                }

                @Override
                public void cancel(List<String> keys) {
                    timers.cancel(keys);
                }
            };
        }

        private static boolean isRecovery(Timer timer) {
            return timer.command() instanceof RecordOutage outage && outage.reason() == null;
        }
    }

    @Test
    void the_simulation_detects_a_retry_beyond_the_window() {
        assertThat(complaint(Persistent::new)).contains("was due at");
    }

    /** Retries requests two days late, when their windows can no longer be met. */
    private static final class Persistent extends EngineParts {
        @Override
        Timers timers(Timers timers) {
            return new Timers() {
                @Override
                public void set(List<Timer> wanted) {
                    timers.set(wanted.stream().map(Persistent::postponed).toList());
                }

                @Override
                public void cancel(List<String> keys) {
                    timers.cancel(keys);
                }
            };
        }

        private static Timer postponed(Timer timer) {
            return timer.command() instanceof RetryCreation
                    ? new Timer(
                            timer.key(),
                            timer.due().plus(Duration.ofDays(2)),
                            timer.command(),
                            timer.cause())
                    : timer;
        }
    }

    @Test
    void the_simulation_detects_a_start_before_what_it_depends_on() {
        assertThat(complaint(Unordered::new)).contains("which it starts after");
    }

    /** Starts all reservations of a lease at the same time. */
    private static final class Unordered extends EngineParts {
        @Override
        Plugins plugins(ResourcePlugin hosts) {
            return new HostPlugins(hosts, Set.of());
        }
    }
}
