package org.leasehold.saga.timer;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.Commands;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.saga.fakes.InMemoryTable;
import org.leasehold.saga.scheduler.Backoff;

import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Timers for a single thread that says when a node is to fire one. As in the database, a node takes
 * a row, fires, and removes the row if it still is the one that it took.
 */
public final class InMemoryTimers implements Timers {

    private static final Comparator<Row> ENDS_FIRST =
            Comparator.<Row, Boolean>comparing(
                            row -> !(row.timer().command() instanceof LeaseCommand.EndLease))
                    .thenComparing(Row::at)
                    .thenComparing(row -> row.timer().key());

    private final InMemoryTable<Row> rows = new InMemoryTable<>();
    private Optional<Instant> next = Optional.empty();
    private long seen;
    private final Clock clock;

    public InMemoryTimers(Clock clock) {
        this.clock = clock;
    }

    /**
     * A timer and who is about to fire it.
     *
     * @param version another one whenever the row is written
     * @param takenBy null while nobody has it
     */
    private record Row(
            Timer timer, Instant at, int failures, long version, @Nullable String takenBy) {}

    /** A process that fires timers. */
    public final class Node {

        private final String name;
        private final Firing firing;
        private final Consumer<String> passing;

        private Node(String name, Firing firing, Consumer<String> passing) {
            this.name = name;
            this.firing = firing;
            this.passing = passing;
        }

        /** Fires the first timer that is due; false if none is. */
        public boolean fireNext() {
            Optional<Row> due = due();
            due.ifPresent(this::fire);
            return due.isPresent();
        }

        private void fire(Row due) {
            Row taken = new Row(due.timer(), due.at(), due.failures(), due.version() + 1, name);
            rows.put(key(taken), taken);
            passing.accept("a timer is taken");
            try {
                firing.fire(taken.timer());
            } catch (RuntimeException failure) {
                passing.accept("a timer has failed");
                putBack(taken, retryAt(taken));
                return;
            }
            passing.accept("a timer has fired");
            if (isStill(taken)) {
                rows.remove(key(taken));
            }
        }
    }

    /** A node that calls {@code passing} between any two of its effects. */
    public Node node(String name, Commands commands, Consumer<String> passing) {
        return node(name, new Firing(commands, clock, LatenessListener.NONE), passing);
    }

    Node node(String name, Firing firing, Consumer<String> passing) {
        return new Node(name, firing, passing);
    }

    @Override
    public void set(List<Timer> timers) {
        timers.forEach(
                timer -> {
                    long version = rows.find(timer.key()).map(Row::version).orElse(0L) + 1;
                    rows.put(timer.key(), new Row(timer, timer.due(), 0, version, null));
                });
    }

    @Override
    public void cancel(List<String> keys) {
        keys.forEach(rows::remove);
    }

    /** Has others fire what a dead node has taken. */
    public void revive(String node) {
        rows.all().stream()
                .filter(row -> node.equals(row.takenBy()))
                .forEach(row -> putBack(row, clock.instant()));
    }

    /** When there is something to fire at the earliest. */
    public Optional<Instant> next() {
        if (seen != rows.writes()) {
            seen = rows.writes();
            next =
                    rows.all().stream()
                            .filter(row -> row.takenBy() == null)
                            .map(Row::at)
                            .min(Comparator.naturalOrder());
        }
        return next;
    }

    /** Every timer that is set. */
    public List<Timer> all() {
        return rows.all().stream().map(Row::timer).toList();
    }

    private Optional<Row> due() {
        Instant now = clock.instant();
        return rows.all().stream()
                .filter(row -> row.takenBy() == null && !row.at().isAfter(now))
                .min(ENDS_FIRST);
    }

    private void putBack(Row row, Instant at) {
        if (isStill(row)) {
            rows.put(
                    key(row),
                    new Row(row.timer(), at, row.failures() + 1, row.version() + 1, null));
        }
    }

    private Instant retryAt(Row row) {
        return clock.instant().plus(Backoff.USUAL.after(row.failures() + 1, key(row)));
    }

    private boolean isStill(Row row) {
        return rows.find(key(row)).filter(now -> now.version() == row.version()).isPresent();
    }

    private static String key(Row row) {
        return row.timer().key();
    }
}
