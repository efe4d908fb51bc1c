package org.leasehold.gateway.api.event;

import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.event.LastEventNumbers;
import org.leasehold.readmodel.operation.ProjectionOffsets;
import org.leasehold.vocabulary.ProjectId;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** A feed of the events of a test; its position is that of the last event of all. */
public final class FakeEventFeed implements EventFeed, LastEventNumbers, ProjectionOffsets {

    private static final Instant WHEN = Instant.parse("2026-11-21T00:33:00Z");

    private final List<Entry> entries = new CopyOnWriteArrayList<>();
    private final EventLogPositions positions;

    public FakeEventFeed(EventLogPositions positions) {
        this.positions = positions;
    }

    public void forget() {
        entries.clear();
    }

    /** Adds an event; the first one has the position 1. */
    public void happened(String project, String type, String data) {
        happened(project, project.equals("-") ? "Resource" : "Lease", "7", type, data);
    }

    void happened(String project, String streamType, String stream, String type, String data) {
        int before = entries.size();
        entries.add(
                new Entry(
                        before + 1,
                        new UUID(0, before + 1),
                        project,
                        entries.stream().filter(entry -> entry.project().equals(project)).count()
                                + 1,
                        streamType,
                        stream,
                        before,
                        type,
                        1,
                        "ada",
                        "req-1",
                        null,
                        WHEN,
                        WHEN,
                        data));
    }

    @Override
    public Batch next(Question question) {
        List<Entry> next =
                entries.stream()
                        .filter(entry -> entry.position() > question.after())
                        .filter(entry -> isFor(question.audience(), entry))
                        .filter(
                                entry ->
                                        question.types().isEmpty()
                                                || question.types().contains(entry.type()))
                        .limit(question.limit())
                        .toList();
        return new Batch(
                next,
                next.size() < question.limit()
                        ? Math.max(question.after(), entries.size())
                        : next.getLast().position());
    }

    @Override
    public Standing findVisible(Audience audience) {
        Map<String, Long> last = new TreeMap<>();
        entries.stream()
                .filter(entry -> isFor(audience, entry))
                .forEach(entry -> last.put(entry.project(), entry.number()));
        return new Standing(
                entries.size(),
                last.entrySet().stream()
                        .map(each -> new LastNumber(each.getKey(), each.getValue()))
                        .toList());
    }

    private static boolean isFor(Audience audience, Entry entry) {
        Set<ProjectId> projects = audience.projects();
        return entry.project().equals("-")
                ? audience.inventory()
                : projects == null || projects.contains(new ProjectId(entry.project()));
    }

    @Override
    public Set<String> names() {
        return Set.of(READ_MODEL);
    }

    @Override
    public long position(String name) {
        return Math.max(entries.size(), positions.last());
    }

    /** Reads once, without a wait. */
    @Override
    public long await(String name, long position, Duration longest) {
        return entries.size();
    }
}
