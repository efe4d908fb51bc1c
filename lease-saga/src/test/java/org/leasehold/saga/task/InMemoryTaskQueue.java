package org.leasehold.saga.task;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.CurrentTenures;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.TaskRetries;
import org.leasehold.history.Backoff;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.TimeMarker;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.operation.StuckActionQuery;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.resource.Plugins;
import org.leasehold.saga.Cause;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.fakes.InMemoryTable;
import org.leasehold.saga.task.PluginTask.ReservationTask;
import org.leasehold.saga.task.PluginTask.ResourceTask;
import org.leasehold.saga.timer.LatenessListener;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Tasks for a single thread, which decides when a node runs one. As in the database, a node takes a
 * row and runs the task. It writes the result if the row is still the one that it took.
 */
public final class InMemoryTaskQueue implements TaskQueue, StuckActionQuery, TaskRetries {

    private static final Duration RETRY_DELAY = Duration.ofMillis(100);

    private static final Comparator<TimeMarker<Long>> OLDEST_FIRST =
            Comparator.<TimeMarker<Long>, Instant>comparing(TimeMarker::time)
                    .thenComparing(TimeMarker::key);

    private final InMemoryTable<InMemoryTaskRow> rows = new InMemoryTable<>();
    private Optional<Instant> next = Optional.empty();
    private long seen;
    private final Clock clock;
    private long submitted;

    public InMemoryTaskQueue(Clock clock) {
        this.clock = clock;
    }

    @Override
    public void submit(PluginTask task, Cause cause) {
        rows.removeIf(
                row ->
                        row.isOf(task.subject())
                                && !row.key().equals(task.key())
                                && row.takenBy() == null
                                && (row.parked()
                                        || TaskReadiness.supersedes(
                                                task.verb(), row.task().verb())));
        InMemoryTaskRow row =
                rows.find(task.key())
                        .map(present -> present.submittedAgain(cause.at()))
                        .orElseGet(() -> fresh(new SubmittedTask(task, cause)));
        rows.put(task.key(), row);
    }

    private InMemoryTaskRow fresh(SubmittedTask task) {
        submitted++;
        return new InMemoryTaskRow(
                task, submitted, 1, null, task.cause().at(), 0, null, null, null, false, false);
    }

    @Override
    public void withdraw(ReservationId reservation) {
        rows.removeIf(row -> row.isOf(reservation.toString()) && row.takenBy() == null);
    }

    @Override
    public boolean isBusy(ReservationId reservation) {
        return rows.all().stream()
                .anyMatch(row -> row.isOf(reservation.toString()) && !row.parked());
    }

    @Override
    public Page<StuckAction> actions(@Nullable String marker, int limit) {
        TimeMarker<Long> start = TimeMarker.ofNumber(marker);
        List<InMemoryTaskRow> found =
                rows.all().stream()
                        .filter(row -> row.attempts() > 0)
                        .filter(row -> OLDEST_FIRST.compare(failingSince(row), start) > 0)
                        .sorted(Comparator.comparing(this::failingSince, OLDEST_FIRST))
                        .limit(limit + 1L)
                        .toList();
        return Page.of(found, limit, last -> failingSince(last).text()).map(this::stuck);
    }

    private TimeMarker<Long> failingSince(InMemoryTaskRow row) {
        return new TimeMarker<>(stuck(row).since(), row.sequence());
    }

    @Override
    public void retryNow() {
        rows.all().stream()
                .filter(row -> row.attempts() > 0 && !row.parked() && row.takenBy() == null)
                .forEach(row -> rows.put(row.key(), row.at(clock.instant())));
    }

    /** Retries failed tasks that wait for a plug-in now instead of later. */
    void retryNow(ResourceKind plugin) {
        Instant now = clock.instant();
        rows.all().stream()
                .filter(row -> row.attempts() > 0 && !row.parked() && row.takenBy() == null)
                .filter(row -> plugin.equals(row.waitsFor()) && row.next().isAfter(now))
                .forEach(row -> rows.put(row.key(), row.at(now)));
    }

    @Override
    public List<StuckAction> retryingActions(Collection<LeaseId> leases) {
        return rows.all().stream()
                .filter(row -> row.attempts() > 0)
                .map(this::stuck)
                .sorted(Comparator.comparing(StuckAction::since))
                .filter(action -> action.nextAttempt() != null)
                .filter(
                        action ->
                                action.target()
                                                instanceof
                                                StuckActionQuery.Target.Reservation target
                                        && leases.contains(target.lease()))
                .toList();
    }

    private StuckAction stuck(InMemoryTaskRow row) {
        return new StuckAction(
                row.task().target(),
                row.attempts(),
                row.lastFault(),
                since(row),
                row.parked() ? null : row.next());
    }

    private Instant since(InMemoryTaskRow row) {
        Instant since = row.failingSince();
        return since == null ? clock.instant() : since;
    }

    @Override
    public boolean retry(ResourceId resource, CommandContext context) {
        List<InMemoryTaskRow> failing =
                rows.all().stream()
                        .filter(
                                row ->
                                        row.attempts() > 0
                                                && row.task() instanceof ResourceTask task
                                                && task.resource().equals(resource))
                        .toList();
        failing.forEach(row -> rows.put(row.key(), row.at(clock.instant())));
        return !failing.isEmpty();
    }

    @Override
    public boolean retry(LeaseId lease, CommandContext context) {
        List<InMemoryTaskRow> failing =
                rows.all().stream()
                        .filter(row -> row.attempts() > 0 && !row.parked())
                        .filter(
                                row ->
                                        row.task() instanceof ReservationTask task
                                                && task.lease().equals(lease))
                        .toList();
        failing.forEach(row -> rows.put(row.key(), row.at(clock.instant())));
        return !failing.isEmpty();
    }

    /** A process that runs tasks. */
    public final class Node {

        private final String name;
        private final TaskRunner run;
        private final Consumer<String> passing;

        private Node(String name, TaskRunner run, Consumer<String> passing) {
            this.name = name;
            this.run = run;
            this.passing = passing;
        }

        /** Runs the first task that is due; returns false if none is. */
        public boolean runNext() {
            Optional<InMemoryTaskRow> due = due();
            due.ifPresent(this::take);
            return due.isPresent();
        }

        private void take(InMemoryTaskRow due) {
            InMemoryTaskRow taken = due.takenBy(name);
            rows.put(taken.key(), taken);
            passing.accept("a task is taken");
            List<TaskReadiness.QueuedTask> siblings =
                    rows.all().stream()
                            .filter(row -> row.isOf(taken.task().subject()))
                            .map(InMemoryTaskRow::toQueuedTask)
                            .toList();
            Verdict verdict =
                    switch (TaskReadiness.of(taken.sequence(), siblings)) {
                        case NOW -> verdict(taken);
                        case LATER -> new Verdict.NotYet(clock.instant().plus(RETRY_DELAY));
                        case NEVER -> new Verdict.Finished();
                    };
            passing.accept("a task was run");
            rows.find(taken.key())
                    .filter(row -> row.version() == taken.version())
                    .ifPresent(row -> complete(row, verdict));
        }

        private boolean isStill(InMemoryTaskRow taken) {
            return rows.find(taken.key())
                    .filter(row -> row.takenBy() != null && row.version() == taken.version())
                    .isPresent();
        }

        private Verdict verdict(InMemoryTaskRow row) {
            try {
                return run.run(
                        new TaskAttempt(
                                row.submitted(),
                                row.attempts(),
                                row.failingSince(),
                                () -> isStill(row)));
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            } catch (RuntimeException failure) {
                // The engine itself failed, not the plug-in.
                return new Verdict.NotYet(
                        clock.instant().plus(Backoff.DEFAULT.delayAfter(1, row.key())));
            }
        }
    }

    /** The state that a task reads before it acts. */
    public record World(
            Leases leases, Resources resources, CurrentTenures tenures, Plugins plugins) {}

    /** Creates a node that calls {@code passing} between any two of its effects. */
    public Node node(
            String name,
            World world,
            Commands commands,
            SagaSettings settings,
            Consumer<String> passing) {
        TaskRunner run =
                new TaskRunner(
                        new TaskRunner.World(
                                world.leases(),
                                world.resources(),
                                world.tenures(),
                                world.plugins(),
                                lease -> Optional.empty()),
                        new PluginCallLimiter(
                                settings.actionsPerPlugin(),
                                settings.actionTimeout(),
                                call -> {
                                    call.run();
                                    return Thread.currentThread();
                                }),
                        new TaskRetryPolicy(settings.retryFor(), Backoff.DEFAULT),
                        new TaskReporter(
                                commands, clock, LatenessListener.NONE, PluginCallLog.NONE),
                        new PluginOutages(clock, this::retryNow),
                        clock);
        return node(name, run, passing);
    }

    Node node(String name, TaskRunner run, Consumer<String> passing) {
        return new Node(name, run, passing);
    }

    private Optional<InMemoryTaskRow> due() {
        Instant now = clock.instant();
        return rows.all().stream()
                .filter(row -> row.takenBy() == null && !row.parked() && !row.next().isAfter(now))
                .min(
                        Comparator.comparing(InMemoryTaskRow::next)
                                .thenComparing(InMemoryTaskRow::sequence));
    }

    private void complete(InMemoryTaskRow row, Verdict verdict) {
        Instant now = clock.instant();
        switch (verdict) {
            case Verdict.Finished _ -> rows.remove(row.key());
            case Verdict.NotYet(var when) -> rows.put(row.key(), row.putBack(when));
            case Verdict.Again(var when, var fault, var plugin) ->
                    rows.put(row.key(), row.failed(now, when, fault, plugin));
            case Verdict.GivenUp(var fault) -> rows.put(row.key(), row.parked(now, fault));
        }
    }

    /** Releases the tasks of a dead node for others. */
    public void revive(String node) {
        Instant now = clock.instant();
        rows.all().stream()
                .filter(row -> node.equals(row.takenBy()))
                .forEach(row -> rows.put(row.key(), row.failed(now, now, null, null)));
    }

    /** Returns the earliest time of a due task. */
    public Optional<Instant> next() {
        if (seen != rows.writes()) {
            seen = rows.writes();
            next =
                    rows.all().stream()
                            .filter(row -> row.takenBy() == null && !row.parked())
                            .map(InMemoryTaskRow::next)
                            .min(Comparator.naturalOrder());
        }
        return next;
    }

    /** Returns every task that is not done. */
    public List<PluginTask> all() {
        return rows.all().stream().map(InMemoryTaskRow::task).toList();
    }
}
