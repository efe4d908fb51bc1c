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
public final class Census {

    /** The most messages in a report: there may be a million errors of the same kind. */
    private static final int WRITTEN_OUT = 20;

    private final Map<String, Numbers> projects = new TreeMap<>();
    private final Map<String, Line> keys = new HashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private long wrongs;
    private long events;
    private long repeats;
    private long position;

    /** The last number that must exist at least, by project. */
    private Map<String, Long> least = Map.of();

    /** The last number to check for gaps, by project; null for the greatest number seen. */
    private @Nullable Map<String, Long> horizon;

    /** The state of a key. */
    private static final class Line {

        private final int partition;
        private long next;

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
    public void take(Told told) {
        position = Math.max(position, told.position());
        Numbers numbers = projects.computeIfAbsent(told.project(), _ -> new Numbers());
        switch (numbers.take(told.number(), told.id())) {
            case NEVER -> {
                events++;
                follow(told);
            }
            case WITH_THIS_ID -> repeats++;
            case WITH_ANOTHER_ID ->
                    refuse(
                            told,
                            "number %s of project %s is another event's"
                                    .formatted(told.number(), told.project()));
        }
    }

    private void follow(Told told) {
        Line line = keys.computeIfAbsent(told.key(), _ -> new Line(told.partition()));
        if (line.partition != told.partition()) {
            refuse(told, "%s is in partition %s, too".formatted(told.key(), line.partition));
        }
        if (line.next != told.sequence()) {
            refuse(
                    told,
                    "event %s of %s comes where %s is next"
                            .formatted(told.sequence(), told.key(), line.next));
        }
        line.next = told.sequence() + 1;
    }

    private void refuse(Told told, String why) {
        refuse(told.partition(), told.offset(), why);
    }

    /** Counts a record that is no event, or not the expected one. */
    void refuse(int partition, long offset, String why) {
        wrongs++;
        if (wrong.size() < WRITTEN_OUT) {
            wrong.add("partition %s, offset %s: %s".formatted(partition, offset, why));
        }
    }

    /** Sets the last number of each project that must exist in any case. */
    void expect(Map<String, Long> last) {
        least = Map.copyOf(last);
    }

    /**
     * Limits the check for gaps to the numbers that are seen by now, or expected. Consumers read
     * partitions at different speeds: a later event may arrive before its predecessor from another
     * partition.
     */
    void expectNoMore() {
        horizon = seen();
    }

    /** Returns true if no number is missing. */
    boolean isWhole() {
        return gaps().isEmpty();
    }

    /** Returns messages about missing numbers. */
    private List<String> gaps() {
        List<String> gaps = new ArrayList<>();
        missed().forEach(
                        (project, last) ->
                                numbers(project)
                                        .gaps(last, gap -> gaps.add(missing(project, gap))));
        return gaps;
    }

    private Numbers numbers(String project) {
        return projects.getOrDefault(project, new Numbers());
    }

    private static String missing(String project, Numbers.Gap gap) {
        return "project %s: %s missing".formatted(project, gap);
    }

    /** Returns the last number of each project that must exist. */
    private Map<String, Long> missed() {
        Map<String, Long> missed = new TreeMap<>(least);
        (horizon == null ? seen() : horizon)
                .forEach((project, last) -> missed.merge(project, last, Math::max));
        return missed;
    }

    private Map<String, Long> seen() {
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
                wrongs + gaps.size(),
                Stream.concat(wrong.stream(), gaps.stream()).limit(WRITTEN_OUT).toList());
    }
}
