package org.leasehold.saga.timer;

import org.leasehold.command.Commands;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.saga.fakes.InMemoryTable;

import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Timers for a single thread, which decides when a node fires the due ones. */
public final class InMemoryTimers implements Timers {

    private static final Comparator<Row> ENDS_FIRST =
            Comparator.comparing((Row row) -> isLast(row))
                    .thenComparing(row -> !(row.timer().command() instanceof LeaseCommand.EndLease))
                    .thenComparing(Row::at)
                    .thenComparing(row -> row.timer().key());

    private static boolean isLast(Row row) {
        return row.timer().command().hasLowestPriority();
    }

    private final InMemoryTable<Row> rows = new InMemoryTable<>();
    private final Clock clock;
    private Optional<Instant> next = Optional.empty();
    private long seen;

    public InMemoryTimers(Clock clock) {
        this.clock = clock;
    }

    /**
     * A timer as it is stored.
     *
     * @param version another one whenever the row is written
     */
    private record Row(Timer timer, Instant at, int failures, long version) {}

    /** A runner of actions in parallel, like {@link TimerDispatcher.Senders}. */
    @FunctionalInterface
    public interface SideBySide {

        List<Boolean> all(List<BooleanSupplier> sendings);
    }

    /** Returns the loop of a process that calls {@code passing} between any two of its effects. */
    public Runnable node(Commands commands, SideBySide senders, Consumer<String> passing) {
        TimerDispatcher due =
                due(
                        new TimerCommandSender(commands, clock, LatenessListener.NONE),
                        senders,
                        passing);
        return due::fire;
    }

    TimerDispatcher due(TimerCommandSender firing, SideBySide senders, Consumer<String> passing) {
        return new TimerDispatcher(new Table(passing), firing, clock, senders::all);
    }

    @Override
    public void set(List<Timer> timers) {
        timers.forEach(
                timer -> {
                    long version = rows.find(timer.key()).map(Row::version).orElse(0L) + 1;
                    rows.put(timer.key(), new Row(timer, timer.due(), 0, version));
                });
    }

    @Override
    public void cancel(List<String> keys) {
        keys.forEach(rows::remove);
    }

    /** Returns the earliest time of a due timer. */
    public Optional<Instant> next() {
        if (seen != rows.writes()) {
            seen = rows.writes();
            next = rows.all().stream().map(Row::at).min(Comparator.naturalOrder());
        }
        return next;
    }

    /** Returns every timer that is set. */
    public List<Timer> all() {
        return rows.all().stream().map(Row::timer).toList();
    }

    /** The table, as one node uses it. */
    private final class Table implements TimerTable {

        private final Consumer<String> passing;

        Table(Consumer<String> passing) {
            this.passing = passing;
        }

        @Override
        public void set(List<Timer> timers) {
            InMemoryTimers.this.set(timers);
        }

        @Override
        public void remove(List<String> keys) {
            cancel(keys);
        }

        @Override
        public List<Taken> takeDue(Instant now, int limit) {
            List<Row> ripe =
                    rows.all().stream()
                            .filter(row -> !row.at().isAfter(now))
                            .sorted(ENDS_FIRST)
                            .toList();
            List<Row> due =
                    Stream.concat(
                                    ripe.stream().filter(row -> !isLast(row)).limit(limit),
                                    ripe.stream()
                                            .filter(InMemoryTimers::isLast)
                                            .limit(Math.min(limit, MAX_RETRIES)))
                            .toList();
            List<Taken> taken =
                    due.stream()
                            .map(row -> new Taken(row.timer(), row.version() + 1, row.failures()))
                            .toList();
            taken.forEach(
                    one -> write(one, now.plus(CLAIM_TIMEOUT), one.failures(), one.version()));
            passing.accept("timers are taken");
            return taken;
        }

        @Override
        public void removeFired(List<Taken> fired) {
            passing.accept("timers have fired");
            fired.stream().filter(this::isStill).forEach(taken -> rows.remove(taken.timer().key()));
        }

        @Override
        public void reschedule(Taken failed, Instant when) {
            passing.accept("a timer has failed");
            if (isStill(failed)) {
                write(failed, when, failed.failures() + 1, failed.version() + 1);
            }
        }

        private void write(Taken taken, Instant at, int failures, long version) {
            rows.put(taken.timer().key(), new Row(taken.timer(), at, failures, version));
        }

        private boolean isStill(Taken taken) {
            return rows.find(taken.timer().key())
                    .filter(row -> row.version() == taken.version())
                    .isPresent();
        }

        @Override
        public Optional<Instant> nextDueTime() {
            return InMemoryTimers.this.next();
        }
    }
}
