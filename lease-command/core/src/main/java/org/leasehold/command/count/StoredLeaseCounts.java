package org.leasehold.command.count;

import org.axonframework.eventhandling.EventMessage;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.modelling.command.ConcurrencyException;
import org.jspecify.annotations.Nullable;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.support.SqlArrayValue;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The table {@code lease_count}. A transaction writes the changes of its commands in one statement,
 * after its events. It then holds the lock of all appends, so that no other transaction waits for a
 * count, and the returned number is exact.
 *
 * <p>Before that, the number comes from memory, which other nodes may have made stale. Memory never
 * rejects: if it shows no room, the table is read. A group that memory misled is rolled back, and
 * each of its commands is decided again with a read of the table. Before a group refuses a lease,
 * the table is read, too.
 */
public final class StoredLeaseCounts
        implements LeaseCounts, Consumer<List<? extends EventMessage<?>>> {

    private static final String STAGED_CHANGES_KEY = StoredLeaseCounts.class.getName();

    private static final int MAX_CACHED_COUNTS = 10_000;

    private static final String SELECT_COUNT =
            "SELECT unfinished FROM lease_count WHERE project_id = ?";

    private static final String SELECT_RETRIED =
            "SELECT retried FROM lease_count WHERE project_id = ?";

    /** Writes in a fixed order, although the lock of all appends makes any order safe. */
    private static final String WRITE =
            """
            INSERT INTO lease_count AS kept (project_id, unfinished, retried)
            SELECT * FROM unnest(?::text[], ?::bigint[], ?::bigint[])
            ON CONFLICT (project_id) DO UPDATE
                SET unfinished = kept.unfinished + excluded.unfinished,
                    retried = kept.retried + excluded.retried
            RETURNING project_id, unfinished, retried
            """;

    private final JdbcTemplate jdbc;
    private final long maxLeases;
    private final long maxRetried;
    private final Map<ProjectId, Long> cachedCounts =
            Collections.synchronizedMap(
                    new LinkedHashMap<>() {
                        @Override
                        protected boolean removeEldestEntry(Map.Entry<ProjectId, Long> eldest) {
                            return size() > MAX_CACHED_COUNTS;
                        }
                    });

    /**
     * Takes the limits.
     *
     * @param maxLeases the maximum number of leases of a project, 0 for no limit
     * @param maxRetried the maximum number of leases of a project that are retried
     */
    public StoredLeaseCounts(JdbcTemplate jdbc, long maxLeases, long maxRetried) {
        this.jdbc = jdbc;
        this.maxLeases = maxLeases;
        this.maxRetried = maxRetried;
    }

    /**
     * The changes of one project in one transaction.
     *
     * @param limitsRetried true if a limited one adds a lease that is retried
     */
    private record Staged(long difference, long retried, boolean limited, boolean limitsRetried) {

        Staged plus(Staged further) {
            return new Staged(
                    difference + further.difference,
                    retried + further.retried,
                    limited || further.limited,
                    limitsRetried || further.limitsRetried);
        }
    }

    @Override
    public long countUnfinished(ProjectId project) {
        if (maxLeases == 0) {
            return 0;
        }
        long difference = difference(project);
        Long known = isInGroup() ? cachedCounts.get(project) : null;
        return (known != null && known + difference < maxLeases ? known : readCount(project))
                + difference;
    }

    @Override
    public boolean isFull(ProjectId project) {
        return maxLeases > 0
                && isInGroup()
                && readCount(project) + difference(project) >= maxLeases;
    }

    private static long difference(ProjectId project) {
        Staged staged = staged().get(project.value());
        return staged == null ? 0 : staged.difference();
    }

    /** Returns false for a command alone: memory misled it a moment ago, or it is a rehearsal. */
    private static boolean isInGroup() {
        return CurrentUnitOfWork.get().parent().isPresent();
    }

    private long readCount(ProjectId project) {
        long unfinished =
                jdbc.query(SELECT_COUNT, (row, _) -> row.getLong(1), project.value()).stream()
                        .findFirst()
                        .orElse(0L);
        cachedCounts.put(project, unfinished);
        return unfinished;
    }

    @Override
    public void addLease(ProjectId project, boolean limited) {
        stage(project, new Staged(1, 0, limited, false));
    }

    @Override
    public void removeLease(ProjectId project) {
        stage(project, new Staged(-1, 0, false, false));
    }

    @Override
    public long countRetried(ProjectId project) {
        Staged staged = staged().get(project.value());
        long stored =
                jdbc.query(SELECT_RETRIED, (row, _) -> row.getLong(1), project.value()).stream()
                        .findFirst()
                        .orElse(0L);
        return stored + (staged == null ? 0 : staged.retried());
    }

    @Override
    public void addRetried(ProjectId project, boolean limited) {
        stage(project, new Staged(0, 1, false, limited));
    }

    @Override
    public void removeRetried(ProjectId project) {
        stage(project, new Staged(0, -1, false, false));
    }

    private static void stage(ProjectId project, Staged change) {
        staged().merge(project.value(), change, Staged::plus);
    }

    private static Map<String, Staged> staged() {
        return CurrentUnitOfWork.get()
                .root()
                .getOrComputeResource(STAGED_CHANGES_KEY, _ -> new TreeMap<>());
    }

    /**
     * Writes the changes of the transaction's commands, after their events.
     *
     * @throws ConcurrencyException if a project has more leases than it may have now
     */
    @Override
    public void accept(List<? extends EventMessage<?>> events) {
        UnitOfWork<?> root = CurrentUnitOfWork.get().root();
        @Nullable Map<String, Staged> staged = root.getResource(STAGED_CHANGES_KEY);
        if (staged != null && !staged.isEmpty()) {
            root.resources().remove(STAGED_CHANGES_KEY);
            write(staged);
        }
    }

    private void write(Map<String, Staged> staged) {
        Object[] differences = staged.values().stream().map(Staged::difference).toArray();
        Object[] retried = staged.values().stream().map(Staged::retried).toArray();
        jdbc.query(
                WRITE,
                (RowCallbackHandler)
                        row -> {
                            String project = row.getString(1);
                            Staged change = Objects.requireNonNull(staged.get(project));
                            cacheAndCheckCount(new ProjectId(project), change, row.getLong(2));
                            checkRetried(change, row.getLong(3));
                        },
                new SqlArrayValue("text", staged.keySet().toArray()),
                new SqlArrayValue("bigint", differences),
                new SqlArrayValue("bigint", retried));
    }

    private void cacheAndCheckCount(ProjectId project, Staged change, long unfinished) {
        if (maxLeases > 0 && change.limited() && unfinished > maxLeases) {
            cachedCounts.put(project, unfinished - change.difference());
            throw new ConcurrencyException("other nodes have made the last leases of a project");
        }
        cachedCounts.put(project, unfinished);
    }

    private void checkRetried(Staged change, long retried) {
        if (change.limitsRetried() && retried > maxRetried) {
            throw new ConcurrencyException("other nodes have made the last retries of a project");
        }
    }
}
