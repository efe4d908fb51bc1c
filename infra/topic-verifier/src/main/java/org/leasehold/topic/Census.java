package org.leasehold.topic;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Counts what a topic tells. Of a project whose greatest number is n there must be n different
 * events, and whatever is told of one key for the first time must come in order. What is missing at
 * the very end shows only to those who know from elsewhere how many there are.
 */
public final class Census {

    /** Of the same kind of error there may be a million more. */
    private static final int WRITTEN_OUT = 20;

    private final Map<String, Numbers> projects = new TreeMap<>();
    private final Map<String, Line> keys = new HashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private long wrongs;
    private long events;
    private long repeats;
    private long position;

    /** Up to where numbers are missed at least, by project. */
    private Map<String, Long> least = Map.of();

    /** Up to where numbers are missed, by project; null for as far as they go. */
    private @Nullable Map<String, Long> horizon;

    /** What is told of one key. */
    private static final class Line {

        private final int partition;
        private long next;

        private Line(int partition) {
            this.partition = partition;
        }
    }

    /**
     * What was counted.
     *
     * @param events different ones
     * @param repeats records of events that had been told before
     * @param keys leases, resources and whatever else things happened to
     * @param position the greatest that was seen; 0 for none
     * @param wrongs how much is wrong
     * @param wrong the first of it, for people
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

    /** Counts a record; those of one partition in their order. */
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

    /** A record that is no event, or not the one that should be there. */
    void refuse(int partition, long offset, String why) {
        wrongs++;
        if (wrong.size() < WRITTEN_OUT) {
            wrong.add("partition %s, offset %s: %s".formatted(partition, offset, why));
        }
    }

    /** The numbers up to these, by project, are missed whatever is seen. */
    void expect(Map<String, Long> last) {
        least = Map.copyOf(last);
    }

    /**
     * From here on only numbers up to those that have been seen, or are expected, are missed.
     * Partitions are told at their own pace: what follows may have its predecessor still under way
     * in another one.
     */
    void expectNoMore() {
        horizon = seen();
    }

    /** Whether no number is missing. */
    boolean isWhole() {
        return gaps().isEmpty();
    }

    /** For people. */
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

    /** The last number of each project that is missed if it is not there. */
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

    /** Says what was counted, once all is. */
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
