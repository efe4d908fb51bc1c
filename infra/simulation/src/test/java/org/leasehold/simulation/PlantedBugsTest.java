package org.leasehold.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.axonframework.eventhandling.DomainEventMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.CalendarRequest.TakeUp;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.InMemoryTables;
import org.leasehold.command.journal.InMemoryJournal;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.query.LeaseView;
import org.leasehold.query.lease.InMemoryLeases;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.saga.timer.Timer;
import org.leasehold.saga.timer.Timers;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The simulation bites: an engine with a part that is broken on purpose is found out. */
class PlantedBugsTest {

    private static final int DAYS = 3;
    private static final int SEEDS = 40;

    @Test
    void a_constraint_that_is_dropped() {
        assertThat(complaint(ConstraintDropped::new)).contains("is promised twice");
    }

    private static final class ConstraintDropped extends Parts {
        @Override
        InMemoryTables tables() {
            return new InMemoryTables() {
                @Override
                protected boolean exclude(Claimed one, Claimed other) {
                    return false;
                }
            };
        }
    }

    @Test
    void a_start_before_the_predecessors_release() {
        assertThat(complaint(Impatient::new)).contains("took up");
    }

    private static final class Impatient extends Parts {
        @Override
        Calendar calendar(Calendar calendar) {
            return new Calendar() {
                @Override
                public <D> D settle(
                        CalendarRequest request, Function<Grant, D> decide, Predicate<D> keep) {
                    if (request instanceof TakeUp
                            && answer(request) instanceof Grant.Awaited(var holders, _)) {
                        holders.forEach(holder -> answer(new LetGo(holder, Set.of())));
                    }
                    return calendar.settle(request, decide, keep);
                }

                private Grant answer(CalendarRequest request) {
                    return calendar.settle(request, grant -> grant, _ -> true);
                }
            };
        }
    }

    @Test
    void a_timer_that_is_lost() {
        assertThat(complaint(Forgetful::new)).containsAnyOf("was due at", "in its way", "never");
    }

    private static final class Forgetful extends Parts {

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
    void a_task_that_is_run_twice() {
        assertThat(complaint(Repetitive::new)).contains("to whom it was not due");
    }

    /** Now and then does an old start again, as a process would that nobody fences. */
    private static final class Repetitive extends Parts {

        private final Deque<Acting.Assignment> started = new ArrayDeque<>();

        @Override
        ResourcePlugin plugin(ResourcePlugin plugin) {
            return new ResourcePlugin() {
                @Override
                public ResourceKind kind() {
                    return plugin.kind();
                }

                @Override
                public Planning planning() {
                    return plugin.planning();
                }

                @Override
                public Acting acting() {
                    return repeating(plugin.acting());
                }
            };
        }

        private static Acting.Assignment unfenced(Acting.Assignment assignment) {
            return new Acting.Assignment(
                    assignment.lease(),
                    assignment.reservation(),
                    assignment.project(),
                    assignment.user(),
                    assignment.period(),
                    assignment.parameters(),
                    assignment.resources(),
                    () -> true);
        }

        private Acting repeating(Acting acting) {
            return new Acting() {
                @Override
                public Result onStart(Assignment assignment) {
                    started.add(unfenced(assignment));
                    if (started.size() > 20) {
                        acting.onStart(started.remove());
                    }
                    return acting.onStart(assignment);
                }

                @Override
                public Discovery discover(String name) {
                    return acting.discover(name);
                }

                @Override
                public Result enrol(ResourceId id, String name) {
                    return acting.enrol(id, name);
                }

                @Override
                public Result retire(ResourceId id, String name) {
                    return acting.retire(id, name);
                }

                @Override
                public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
                    return acting.onAdjust(assignment, leaving);
                }

                @Override
                public Result beforeEnd(Assignment assignment) {
                    return acting.beforeEnd(assignment);
                }

                @Override
                public Result onEnd(Assignment assignment) {
                    return acting.onEnd(assignment);
                }

                @Override
                public List<String> inspect(ReservationId reservation) {
                    return acting.inspect(reservation);
                }
            };
        }
    }

    @Test
    void a_cache_that_is_stale() {
        assertThat(complaint(Stale::new)).contains("nothing was in its way");
    }

    /** Now and then shows a stream as it was when it was read before. */
    private static final class Stale extends Parts {

        private int reads;

        @Override
        InMemoryJournal journal() {
            InMemoryJournal journal = InMemoryJournal.empty();
            Map<String, List<DomainEventMessage<?>>> cached = new HashMap<>();
            journal.readThrough(
                    (stream, events) -> {
                        List<DomainEventMessage<?>> now = List.copyOf(events);
                        List<DomainEventMessage<?>> before = cached.put(stream, now);
                        return before != null && ++reads % 10 == 0 ? before : now;
                    });
            return journal;
        }
    }

    @Test
    void a_tenants_filter_that_was_forgotten() {
        assertThat(complaint(Indiscreet::new)).contains("another's lease");
    }

    private static final class Indiscreet extends Parts {
        @Override
        InMemoryLeases leases() {
            return new InMemoryLeases() {
                @Override
                protected boolean isOf(LeaseView lease, @Nullable ProjectId project) {
                    return true;
                }
            };
        }
    }

    private static String complaint(Supplier<Parts> broken) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            String complaint =
                    Simulation.run(Scenario.of(seed, DAYS), broken.get(), _ -> {}).complaint();
            if (complaint != null) {
                return complaint;
            }
        }
        throw new AssertionError("not found out in " + SEEDS + " seeds");
    }
}
