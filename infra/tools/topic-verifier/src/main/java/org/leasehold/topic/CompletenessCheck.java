package org.leasehold.topic;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Counts the events of a topic. A project with the greatest number n must have n different events,
 * and the first records of a key must be in order. Missing events at the very end show only with
 * numbers from another source.
 */
public final class CompletenessCheck {

    /** The most messages in a report: there may be a million errors of the same kind. */
    private static final int MAX_MESSAGES = 20;

    private final Map<String, SeenEventNumbers> projects = new TreeMap<>();
    private final Map<String, Line> keys = new HashMap<>();
    private final List<String> errors = new ArrayList<>();
    private long errorCount;
    private long events;
    private long repeats;
    private long position;

    /** The last number that must exist at least, by project. */
    private Map<String, Long> minimumNumbers = Map.of();

    /** The last number to check for gaps, by project; null for the greatest number seen. */
    private @Nullable Map<String, Long> horizon;

    /** The state of a key. */
    private static final class Line {

        private final int partition;
        private long nextSequence;

        private Line(int partition) {
            this.partition = partition;
        }
    }

    /**
     * The result of a count.
     *
     * @param events the number of different events
     * @param repeats the number of records of events seen before
     * @param keys the number of keys: leases, resources and others
     * @param position the greatest position seen; 0 for none
     * @param wrongs the number of errors
     * @param wrong messages about the first errors
     */
    public record Report(
            long events,
            long repeats,
            int projects,
            int keys,
            long position,
            long wrongs,
            List<String> wrong) {

        public Report {
            wrong = List.copyOf(wrong);
        }
    }

    /** Counts a record; records of one partition must come in order. */
    public void countRecord(TopicRecord record) {
        position = Math.max(position, record.position());
        SeenEventNumbers numbers =
                projects.computeIfAbsent(record.project(), _ -> new SeenEventNumbers());
        switch (numbers.addNumber(record.number(), record.id())) {
            case NEVER -> {
                events++;
                checkOrder(record);
            }
            case WITH_THIS_ID -> repeats++;
            case WITH_ANOTHER_ID ->
                    reportError(
                            record,
                            "number %s of project %s is another event's"
                                    .formatted(record.number(), record.project()));
        }
    }

    private void checkOrder(TopicRecord record) {
        Line line = keys.computeIfAbsent(record.key(), _ -> new Line(record.partition()));
        if (line.partition != record.partition()) {
            reportError(
                    record, "%s is in partition %s, too".formatted(record.key(), line.partition));
        }
        if (line.nextSequence != record.sequence()) {
            reportError(
                    record,
                    "event %s of %s comes where %s is next"
                            .formatted(record.sequence(), record.key(), line.nextSequence));
        }
        line.nextSequence = record.sequence() + 1;
    }

    private void reportError(TopicRecord record, String why) {
        reportError(record.partition(), record.offset(), why);
    }

    /** Counts a record that is no event, or not the expected one. */
    void reportError(int partition, long offset, String why) {
        errorCount++;
        if (errors.size() < MAX_MESSAGES) {
            errors.add("partition %s, offset %s: %s".formatted(partition, offset, why));
        }
    }

    /** Sets the last number of each project that must exist in any case. */
    void setMinimumNumbers(Map<String, Long> last) {
        minimumNumbers = Map.copyOf(last);
    }

    /**
     * Limits the check for gaps to the numbers that are seen by now, or expected. Consumers read
     * partitions at different speeds: a later event may arrive before its predecessor from another
     * partition.
     */
    void fixHorizon() {
        horizon = greatestNumbers();
    }

    /** Returns true if no number is missing. */
    boolean isComplete() {
        return gaps().isEmpty();
    }

    /** Returns messages about missing numbers. */
    private List<String> gaps() {
        List<String> gaps = new ArrayList<>();
        requiredNumbers()
                .forEach(
                        (project, last) ->
                                seenNumbers(project)
                                        .forEachGap(
                                                last, gap -> gaps.add(gapMessage(project, gap))));
        return gaps;
    }

    private SeenEventNumbers seenNumbers(String project) {
        return projects.getOrDefault(project, new SeenEventNumbers());
    }

    private static String gapMessage(String project, SeenEventNumbers.Gap gap) {
        return "project %s: %s missing".formatted(project, gap);
    }

    /** Returns the last number of each project that must exist. */
    private Map<String, Long> requiredNumbers() {
        Map<String, Long> missed = new TreeMap<>(minimumNumbers);
        (horizon == null ? greatestNumbers() : horizon)
                .forEach((project, last) -> missed.merge(project, last, Math::max));
        return missed;
    }

    private Map<String, Long> greatestNumbers() {
        Map<String, Long> seen = new HashMap<>();
        projects.forEach((project, numbers) -> seen.put(project, numbers.greatest()));
        return seen;
    }

    /** Returns the result after all records are counted. */
    public Report report() {
        List<String> gaps = gaps();
        return new Report(
                events,
                repeats,
                projects.size(),
                keys.size(),
                position,
                errorCount + gaps.size(),
                Stream.concat(errors.stream(), gaps.stream()).limit(MAX_MESSAGES).toList());
    }
}
