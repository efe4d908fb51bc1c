package org.leasehold.publishing.kafka;

import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.operation.ProjectionOffsets;
import org.leasehold.readmodel.usage.Metering;
import org.leasehold.readmodel.usage.Metering.Reading;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The readings of all meters in the form of events, so that they can be published. Their positions
 * are seconds since 1970. A reading is stored before it is published. Readings that were missed
 * without a running node are added one by one.
 */
final class ReadingsFeed implements EventFeed, ProjectionOffsets {

    private final Metering metering;
    private final Clock clock;
    private final long interval;

    /**
     * @param interval whole seconds
     */
    ReadingsFeed(Metering metering, Clock clock, Duration interval) {
        this.metering = metering;
        this.clock = clock;
        this.interval = interval.toSeconds();
    }

    @Override
    public Batch next(Question question) {
        long due = latestDueSecond();
        // The events cover the time before the first reading.
        long next = question.after() == 0 ? due : nextDueSecond(question.after());
        for (int i = 0; i < question.limit() && next <= due; i++) {
            metering.recordReading(Instant.ofEpochSecond(next));
            next = nextDueSecond(next);
        }
        List<Entry> readings =
                metering
                        .readings(Instant.ofEpochSecond(question.after()), question.limit())
                        .stream()
                        .map(ReadingsFeed::entry)
                        .toList();
        return new Batch(
                readings, readings.isEmpty() ? question.after() : readings.getLast().position());
    }

    /** Returns the number of readings that are due and not published yet. */
    long lag(long published) {
        long due = latestDueSecond();
        return published == 0 ? 1 : Math.max(0, (due - published + interval - 1) / interval);
    }

    private long latestDueSecond() {
        return Math.floorDiv(clock.instant().getEpochSecond(), interval) * interval;
    }

    private long nextDueSecond(long second) {
        return (Math.floorDiv(second, interval) + 1) * interval;
    }

    private static Entry entry(Reading reading) {
        long second = reading.at().getEpochSecond();
        return new Entry(
                second,
                new UUID(0, second),
                "-",
                second,
                "Reading",
                reading.at().toString(),
                second,
                "Reading",
                1,
                null,
                null,
                null,
                reading.at(),
                reading.at(),
                "");
    }

    @Override
    public Set<String> names() {
        return Set.of(READ_MODEL);
    }

    @Override
    public long position(String name) {
        return latestDueSecond();
    }

    /** Waits until the next reading is due, or until the timeout. */
    @Override
    public long await(String name, long position, Duration longest) throws InterruptedException {
        Duration left =
                Duration.between(
                        clock.instant(), Instant.ofEpochSecond(nextDueSecond(latestDueSecond())));
        Duration wait = left.compareTo(longest) < 0 ? left : longest;
        if (!wait.isNegative()) {
            Thread.sleep(wait);
        }
        return latestDueSecond();
    }
}
