package org.leasehold.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.axonframework.eventhandling.DomainEventMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.CalendarRequest.TakeUp;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.stored.InMemoryTables;
import org.leasehold.command.memory.UndoLog;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseCommand.NoteOutage;
import org.leasehold.lease.LeaseCommand.RetryCreation;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.query.account.AccountEntry;
import org.leasehold.query.lease.InMemoryLeases;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.Survey;
import org.leasehold.saga.timer.Timer;
import org.leasehold.saga.timer.Timers;
import org.leasehold.simulation.memory.HostPlugins;
import org.leasehold.simulation.scenario.Scenario;
import org.leasehold.simulation.scenario.Step;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Tests that the simulation detects an engine with a deliberately broken part. */
class InjectedBugsTest {

    private static final int DAYS = 3;
    private static final int SEEDS = 100;

    @Test
    void the_simulation_detects_a_dropped_constraint() {
        assertThat(complaint(ConstraintDropped::new)).contains("is promised twice");
    }

    private static final class ConstraintDropped extends EngineParts {
        @Override
        InMemoryTables tables(UndoLog log) {
            return new InMemoryTables(log) {
                @Override
                protected boolean exclude(Claimed one, Claimed other) {
                    return false;
                }
            };
        }
    }

    @Test
    void the_simulation_detects_a_refusal_from_an_outdated_memory() {
        assertThat(complaint(OutdatedMemory::new)).contains("refused without need");
    }

    private static final class OutdatedMemory extends EngineParts {
        @Override
        long memoryPosition(long position, long head) {
            return head;
        }
    }

    @Test
    void the_simulation_detects_a_start_before_the_release() {
        assertThat(complaint(Impatient::new)).contains("took up");
    }

    private static final class Impatient extends EngineParts {
        @Override
        Calendar calendar(Calendar calendar) {
            return new Calendar() {
                @Override
                public <D> D executeAndDecide(
                        CalendarRequest<?> request, Function<Grant, D> decide, Predicate<D> keep) {
                    if (request instanceof TakeUp(var lease, var project, var reservations, _, _)) {
                        TakeUp inTables = new TakeUp(lease, project, reservations, true);
                        Grant grant = calendar.executeAndDecide(inTables, each -> each, _ -> false);
                        if (grant instanceof Grant.Awaited(var holders, _)) {
                            holders.forEach(this::letGo);
                        }
                        return calendar.executeAndDecide(inTables, decide, keep);
                    }
                    return calendar.executeAndDecide(request, decide, keep);
                }

                private void letGo(ReservationId holder) {
                    calendar.executeAndDecide(
                            new LetGo(holder, Set.of()), grant -> grant, _ -> true);
                }
            };
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
    void the_simulation_detects_a_task_that_runs_twice() {
        assertThat(complaint(() -> new Belated(20, Acting::onStart)))
                .contains("to whom it was not due");
    }

    @Test
    void the_simulation_detects_a_preparation_after_the_start() {
        assertThat(complaint(() -> new Belated(5, Acting::prepare)))
                .contains("prepared after its start");
    }

    /** Runs an action for a lease after several others have started, without a fence. */
    private static final class Belated extends EngineParts {

        private final Deque<Acting.Assignment> started = new ArrayDeque<>();
        private final int later;
        private final BiConsumer<Acting, Acting.Assignment> action;

        Belated(int later, BiConsumer<Acting, Acting.Assignment> action) {
            this.later = later;
            this.action = action;
        }

        @Override
        ResourcePlugin plugin(ResourcePlugin plugin) {
            Acting acting = plugin.acting();
            return new Acted(
                    plugin,
                    call -> {
                        started.add(unfenced(call));
                        if (started.size() > later) {
                            action.accept(acting, started.remove());
                        }
                        return call;
                    });
        }
    }

    private static Acting.Assignment unfenced(Acting.Assignment assignment) {
        return new Acting.Assignment(
                assignment.lease(),
                assignment.reservation(),
                assignment.project(),
                assignment.user(),
                assignment.period(),
                assignment.parameters(),
                assignment.resources());
    }

    /** A plug-in with manipulated starts. */
    private record Acted(ResourcePlugin plugin, UnaryOperator<Acting.Assignment> starts)
            implements ResourcePlugin, Acting {

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
            return this;
        }

        @Override
        public Result onStart(Assignment assignment) {
            return plugin.acting().onStart(starts.apply(assignment));
        }

        @Override
        public Discovery discover(String name) {
            return plugin.acting().discover(name);
        }

        @Override
        public Result enrol(ResourceId id, String name) {
            return plugin.acting().enrol(id, name);
        }

        @Override
        public Result retire(ResourceId id, String name) {
            return plugin.acting().retire(id, name);
        }

        @Override
        public Result prepare(Assignment assignment) {
            return plugin.acting().prepare(assignment);
        }

        @Override
        public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
            return plugin.acting().onAdjust(assignment, leaving);
        }

        @Override
        public Result beforeEnd(Assignment assignment) {
            return plugin.acting().beforeEnd(assignment);
        }

        @Override
        public Result onEnd(Assignment assignment) {
            return plugin.acting().onEnd(assignment);
        }

        @Override
        public List<String> inspect(ReservationId reservation) {
            return plugin.acting().inspect(reservation);
        }

        @Override
        public Survey survey() {
            return plugin.acting().survey();
        }
    }

    @Test
    void the_simulation_detects_an_unfenced_node_after_a_pause() {
        // Some scenarios show a consequence first.
        assertThat(
                        LongStream.rangeClosed(1, SEEDS)
                                .mapToObj(seed -> withPauses(Scenario.of(seed, DAYS)))
                                .map(scenario -> complaint(scenario, new Unfenced()))
                                .filter(Objects::nonNull)
                                .anyMatch(InjectedBugsTest::isUnfencedCall))
                .isTrue();
    }

    /** Adds a long pause of a node, within some effects, every second hour. */
    private static Scenario withPauses(Scenario scenario) {
        List<Step> steps = new ArrayList<>(scenario.steps());
        for (int hour = 4; hour < 24 * DAYS; hour += 2) {
            steps.add(
                    new Step.Pause(
                            Duration.ofHours(hour),
                            hour / 2 % Scenario.NODES,
                            2 + hour % 7,
                            Duration.ofHours(1)));
        }
        steps.sort(Comparator.comparing(Step::at));
        return new Scenario(scenario.seed(), scenario.cleaning(), steps);
    }

    private static boolean isUnfencedCall(String complaint) {
        return Stream.of(
                        "to whom it was not due",
                        "in the pool are",
                        "is not clean",
                        "started outside of its window")
                .anyMatch(complaint::contains);
    }

    private static final class Unfenced extends EngineParts {
        @Override
        ResourcePlugin plugin(ResourcePlugin plugin) {
            return new Acted(plugin, InjectedBugsTest::unfenced);
        }
    }

    @Test
    void the_simulation_detects_a_grant_that_ignores_the_constraint() {
        assertThat(complaint(Trusting::new)).containsAnyOf("is promised twice", "and claimed");
    }

    /** Grants resources that are free in memory, despite the constraint. */
    private static final class Trusting extends EngineParts {
        @Override
        InMemoryTables tables(UndoLog log) {
            return new InMemoryTables(log) {
                @Override
                protected boolean claim(Claimed claim) {
                    super.claim(claim);
                    return true;
                }
            };
        }
    }

    @Test
    void the_simulation_detects_a_refusal_from_stale_memory() {
        assertThat(complaint(Remembering::new))
                .containsAnyOf("refused without need", "was not the state of things");
    }

    /** Repeats a refusal to the next request with the same start. */
    private static final class Remembering extends EngineParts {
        @Override
        Calendar calendar(Calendar calendar) {
            Map<Instant, Grant> refused = new HashMap<>();
            return new Calendar() {
                @Override
                public <D> D executeAndDecide(
                        CalendarRequest<?> request, Function<Grant, D> decide, Predicate<D> keep) {
                    if (!(request instanceof Hold(_, _, var wanted)) || wanted.isEmpty()) {
                        return calendar.executeAndDecide(request, decide, keep);
                    }
                    Instant start = wanted.getFirst().period().start();
                    Grant known = refused.get(start);
                    if (known != null) {
                        return decide.apply(known);
                    }
                    return calendar.executeAndDecide(
                            request,
                            grant -> {
                                if (grant instanceof Grant.TooFew) {
                                    refused.put(start, grant);
                                }
                                return decide.apply(grant);
                            },
                            keep);
                }
            };
        }
    }

    @Test
    void the_simulation_detects_a_grant_from_stale_memory() {
        assertThat(complaint(Stingy::new)).contains("was free for up to");
    }

    /** Repeats a small grant to the next request with the same start. */
    private static final class Stingy extends EngineParts {
        @Override
        Calendar calendar(Calendar calendar) {
            Map<Instant, Integer> grantedByStart = new HashMap<>();
            return new Calendar() {
                @Override
                public <D> D executeAndDecide(
                        CalendarRequest<?> request, Function<Grant, D> decide, Predicate<D> keep) {
                    if (!(request instanceof Hold(var lease, var project, var wanted))
                            || wanted.size() != 1) {
                        return calendar.executeAndDecide(request, decide, keep);
                    }
                    Wanted only = wanted.getFirst();
                    Instant start = only.period().start();
                    int remembered = grantedByStart.getOrDefault(start, Integer.MAX_VALUE);
                    return calendar.executeAndDecide(
                            new Hold(lease, project, List.of(upTo(remembered, only))),
                            grant -> {
                                if (grant instanceof Grant.Held held) {
                                    held.allocations()
                                            .forEach(
                                                    (_, got) ->
                                                            grantedByStart.put(start, got.size()));
                                }
                                return decide.apply(grant);
                            },
                            keep);
                }

                private Wanted upTo(int count, Wanted wanted) {
                    return new Wanted(
                            wanted.reservation(),
                            wanted.demand().upTo(Math.min(count, wanted.demand().maximum())),
                            wanted.period(),
                            wanted.current(),
                            wanted.running(),
                            wanted.adjusts());
                }
            };
        }
    }

    @Test
    void the_simulation_detects_a_missing_project_filter() {
        assertThat(complaint(Indiscreet::new)).contains("another's lease");
    }

    private static final class Indiscreet extends EngineParts {
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

    @Test
    void the_simulation_detects_usage_that_ignores_an_early_end() {
        assertThat(complaint(Unending::new)).contains("is accounted for");
    }

    /** Counts an ending lease as active until its resources are released or its window is over. */
    private static final class Unending extends EngineParts {
        @Override
        List<AccountEntry> account(List<? extends DomainEventMessage<?>> life, Instant until) {
            return super.account(
                    life.stream()
                            .filter(message -> !(message.getPayload() instanceof LeaseEnding))
                            .toList(),
                    until);
        }
    }

    @Test
    void the_simulation_detects_usage_that_ignores_an_outage() {
        assertThat(complaint(Unfailing::new)).contains("is accounted for");
    }

    /** Counts a host that is down as active. */
    private static final class Unfailing extends EngineParts {
        @Override
        List<AccountEntry> account(List<? extends DomainEventMessage<?>> life, Instant until) {
            return super.account(
                    life.stream()
                            .filter(message -> !(message.getPayload() instanceof ResourceFailed))
                            .toList(),
                    until);
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
            return timer.command() instanceof NoteOutage outage && outage.reason() == null;
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

    @Test
    void the_simulation_detects_charges_without_credits() {
        assertThat(complaint(Greedy::new)).contains("is charged for");
    }

    /** Charges lost time without a credit. */
    private static final class Greedy extends EngineParts {
        @Override
        List<Charge> charges(List<? extends DomainEventMessage<?>> life, Instant until) {
            return super.charges(life, until).stream()
                    .filter(charge -> charge.what() != Charge.What.CREDIT)
                    .toList();
        }
    }

    @Test
    void the_simulation_detects_charges_for_a_replaced_resource() {
        assertThat(complaint(Unreplaced::new)).contains("is charged for");
    }

    /** Continues to charge for a replaced resource. */
    private static final class Unreplaced extends EngineParts {
        @Override
        List<Charge> charges(List<? extends DomainEventMessage<?>> life, Instant until) {
            return super.charges(
                    life.stream()
                            .filter(message -> !(message.getPayload() instanceof ResourceReplaced))
                            .toList(),
                    until);
        }
    }

    private static String complaint(Supplier<EngineParts> broken) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            String complaint = complaint(Scenario.of(seed, DAYS), broken.get());
            if (complaint != null) {
                return complaint;
            }
        }
        throw new AssertionError("not found out in " + SEEDS + " seeds");
    }

    private static @Nullable String complaint(Scenario scenario, EngineParts broken) {
        return Simulation.run(scenario, broken, _ -> {}).complaint();
    }
}
