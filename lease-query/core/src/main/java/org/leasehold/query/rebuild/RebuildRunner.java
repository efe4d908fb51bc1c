package org.leasehold.query.rebuild;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.operation.ReadModels;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The rebuilds of this node: one at a time, beside its other work. */
final class RebuildRunner implements ReadModels, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RebuildRunner.class);

    private final Map<String, Rebuildable> readModels = new TreeMap<>();
    private final Map<String, Progress> progress = new TreeMap<>();
    private final Rebuild rebuild;
    private final EventLogPositions positions;
    private final Clock clock;
    private final ExecutorService executor =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("rebuild").factory());

    RebuildRunner(
            List<Rebuildable> readModels,
            Rebuild rebuild,
            EventLogPositions positions,
            Clock clock) {
        for (Rebuildable readModel : readModels) {
            this.readModels.put(readModel.name(), readModel);
            this.progress.put(readModel.name(), Progress.NONE);
        }
        this.rebuild = rebuild;
        this.positions = positions;
        this.clock = clock;
    }

    @Override
    public synchronized List<ReadModel> list() {
        long last = positions.last();
        List<ReadModel> list = new ArrayList<>();
        progress.forEach((name, state) -> list.add(state.of(name, last)));
        return list;
    }

    @Override
    public synchronized boolean rebuild(Set<String> names) {
        if (!readModels.keySet().containsAll(names)) {
            throw new IllegalArgumentException("not all of these are read models: " + names);
        }
        if (progress.values().stream().anyMatch(state -> state.is(State.REBUILDING))) {
            return false;
        }
        Set<String> chosen = new TreeSet<>(names);
        Instant began = clock.instant();
        setProgress(chosen, new Progress(State.REBUILDING, 0, began, null, null));
        executor.execute(() -> run(chosen, began));
        return true;
    }

    private void run(Set<String> names, Instant began) {
        LOG.atInfo().addKeyValue("read_models", names).log("A rebuild begins");
        try {
            List<Rebuildable> chosen =
                    names.stream()
                            .map(name -> Objects.requireNonNull(readModels.get(name)))
                            .toList();
            long last =
                    rebuild.run(
                            chosen,
                            position ->
                                    setProgress(
                                            names,
                                            new Progress(
                                                    State.REBUILDING,
                                                    position,
                                                    began,
                                                    null,
                                                    null)));
            setProgress(names, new Progress(State.REBUILT, last, began, clock.instant(), null));
            LOG.atInfo()
                    .addKeyValue("read_models", names)
                    .addKeyValue("position", last)
                    .log("A rebuild is done");
        } catch (RuntimeException e) {
            // After any error nothing has changed, and the caller needs the reason.
            recordFailure(names, began, String.valueOf(e.getMessage()));
            LOG.atError().addKeyValue("read_models", names).setCause(e).log("A rebuild failed");
        }
    }

    private synchronized void setProgress(Set<String> names, Progress state) {
        names.forEach(name -> progress.put(name, state));
    }

    private synchronized void recordFailure(Set<String> names, Instant began, String reason) {
        for (String name : names) {
            long position = Objects.requireNonNull(progress.get(name)).position();
            progress.put(
                    name, new Progress(State.FAILED, position, began, clock.instant(), reason));
        }
    }

    /** Interrupts a running rebuild: its transaction leaves nothing behind. */
    @Override
    public void close() {
        executor.shutdownNow();
    }

    private record Progress(
            State state,
            long position,
            @Nullable Instant began,
            @Nullable Instant ended,
            @Nullable String failure) {

        static final Progress NONE = new Progress(State.SERVED, 0, null, null, null);

        boolean is(State other) {
            return state == other;
        }

        ReadModel of(String name, long last) {
            return new ReadModel(name, state, position, last, began, ended, failure);
        }
    }
}
