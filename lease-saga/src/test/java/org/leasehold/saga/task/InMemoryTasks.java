package org.leasehold.saga.task;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Retries;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.ReservationId;
import org.leasehold.query.Stuck;
import org.leasehold.saga.Cause;
import org.leasehold.saga.task.PluginTask.ResourceTask;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Tasks for a single thread that says when to act. */
final class InMemoryTasks implements Tasks, Stuck, Retries {

    private final List<Entry> entries = new ArrayList<>();
    private final TaskRun run;
    private final Clock clock;
    private long submitted;

    InMemoryTasks(TaskRun run, Clock clock) {
        this.run = run;
        this.clock = clock;
    }

    private static final class Entry {

        private final SubmittedTask submitted;
        private final long sequence;
        private Instant next;
        private int attempts;
        private @Nullable Instant failingSince;
        private @Nullable String lastFault;
        private boolean parked;
        private boolean running;
        private boolean resubmitted;

        Entry(SubmittedTask submitted, long sequence) {
            this.submitted = submitted;
            this.sequence = sequence;
            this.next = submitted.cause().at();
        }

        PluginTask task() {
            return submitted.task();
        }

        boolean isOf(String subject) {
            return task().subject().equals(subject);
        }

        Turn.Place place() {
            return new Turn.Place(sequence, task().verb(), parked);
        }
    }

    @Override
    public void submit(PluginTask task, Cause cause) {
        entries.removeIf(
                e ->
                        e.isOf(task.subject())
                                && !e.task().key().equals(task.key())
                                && (e.parked || task instanceof PluginTask.End));
        Optional<Entry> present =
                entries.stream().filter(e -> e.task().key().equals(task.key())).findFirst();
        present.ifPresentOrElse(e -> submitAgain(e, cause), () -> add(task, cause));
    }

    private void add(PluginTask task, Cause cause) {
        submitted++;
        entries.add(new Entry(new SubmittedTask(task, cause), submitted));
    }

    private static void submitAgain(Entry entry, Cause cause) {
        entry.resubmitted = entry.running;
        if (entry.parked) {
            revive(entry, cause.at());
        }
    }

    private static void revive(Entry entry, Instant next) {
        entry.parked = false;
        entry.attempts = 0;
        entry.failingSince = null;
        entry.next = next;
    }

    @Override
    public void withdraw(ReservationId reservation) {
        entries.removeIf(e -> e.isOf(reservation.toString()));
    }

    @Override
    public List<StuckAction> actions(int limit) {
        return entries.stream()
                .filter(e -> e.attempts > 0)
                .map(this::stuck)
                .sorted(Comparator.comparing(StuckAction::since))
                .limit(limit)
                .toList();
    }

    @Override
    public boolean retry(ResourceId resource, CommandContext context) {
        List<Entry> failing =
                entries.stream()
                        .filter(
                                e ->
                                        e.attempts > 0
                                                && e.task() instanceof ResourceTask task
                                                && task.resource().equals(resource))
                        .toList();
        failing.forEach(e -> e.next = clock.instant());
        return !failing.isEmpty();
    }

    private StuckAction stuck(Entry entry) {
        return new StuckAction(
                entry.task().target(),
                entry.attempts,
                entry.lastFault,
                since(entry),
                entry.parked ? null : entry.next);
    }

    private Instant since(Entry entry) {
        Instant since = entry.failingSince;
        return since == null ? clock.instant() : since;
    }

    /** Runs one task that is due; false if there is none. */
    boolean runNext() {
        Instant now = clock.instant();
        Optional<Entry> next =
                entries.stream()
                        .filter(e -> !e.parked && !e.next.isAfter(now))
                        .min(
                                Comparator.<Entry, Instant>comparing(e -> e.next)
                                        .thenComparing(e -> e.sequence));
        next.ifPresent(this::runOne);
        return next.isPresent();
    }

    private void runOne(Entry entry) {
        List<Turn.Place> places =
                entries.stream()
                        .filter(e -> e.isOf(entry.task().subject()))
                        .map(Entry::place)
                        .toList();
        switch (Turn.of(entry.sequence, places)) {
            case NOW -> {
                entry.running = true;
                apply(verdict(entry), entry);
                entry.running = false;
                entry.resubmitted = false;
            }
            case LATER -> entry.next = clock.instant().plusMillis(100);
            case NEVER -> entries.remove(entry);
        }
    }

    private Verdict verdict(Entry entry) {
        try {
            return run.run(new TaskRun.Attempt(entry.submitted, entry.attempts, since(entry)));
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private void apply(Verdict verdict, Entry entry) {
        switch (verdict) {
            case Verdict.Finished _ -> entries.remove(entry);
            case Verdict.NotYet notYet -> entry.next = notYet.next();
            case Verdict.Again again -> {
                count(entry, again.fault());
                entry.next = again.next();
            }
            case Verdict.GivenUp givenUp -> {
                count(entry, givenUp.fault());
                entry.parked = true;
                if (entry.resubmitted) {
                    revive(entry, clock.instant());
                }
            }
        }
    }

    private void count(Entry entry, String fault) {
        entry.failingSince = since(entry);
        entry.attempts++;
        entry.lastFault = fault;
    }
}
