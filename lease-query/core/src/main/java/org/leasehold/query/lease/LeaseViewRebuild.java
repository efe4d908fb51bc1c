package org.leasehold.query.lease;

import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventsourcing.eventstore.EventStorageEngine;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Builds the {@code lease} table anew from event zero while the old one is read and written.
 *
 * <p>All of it is one transaction, so that nothing is left of a rebuild that dies. Events are
 * folded into a second table, without a lock, until hardly any is left. The last ones are folded,
 * and the tables swapped, under the lock that every append takes: a command writes its lease when
 * it has that lock, so that no write is lost and none can deadlock with the swap.
 */
public final class LeaseViewRebuild {

    private static final int BATCH = 1000;
    private static final int PASSES = 10;
    private static final int SWAPS = 60;

    /** The key is the journal's: see {@code V1__event_store.sql}. */
    private static final String LOCK_APPENDS = "SELECT pg_advisory_xact_lock(1)";

    private static final String LOCK_REBUILDS = "SELECT pg_try_advisory_xact_lock(10)";

    // Who still reads the old table holds up the swap, and the swap all others who read or write.
    private static final String WAIT_SHORTLY = "SET LOCAL lock_timeout = '1s'";
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private final JdbcTemplate jdbc;
    private final TransactionTemplate whole;
    private final TransactionTemplate swap;
    private final EventStorageEngine events;
    private final LeaseProjection rebuilt;

    LeaseViewRebuild(
            JdbcTemplate jdbc,
            PlatformTransactionManager transactions,
            EventStorageEngine events,
            LeaseViewCodec codec) {
        this.jdbc = jdbc;
        this.whole = new TransactionTemplate(transactions);
        this.swap = new TransactionTemplate(transactions);
        this.swap.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        this.events = events;
        this.rebuilt = new LeaseProjection(new LeaseTable(jdbc, codec, "lease_rebuilt"));
    }

    /**
     * Rebuilds the table and returns how many leases it holds.
     *
     * @throws IllegalStateException if a rebuild is running already, or the old table is read
     *     without a pause so that it cannot be replaced
     */
    public long run() {
        Long leases = whole.execute(_ -> rebuild());
        return leases == null ? 0 : leases;
    }

    private long rebuild() {
        if (!Boolean.TRUE.equals(jdbc.queryForObject(LOCK_REBUILDS, Boolean.class))) {
            throw new IllegalStateException("the leases are being rebuilt already");
        }
        jdbc.execute("CREATE TABLE lease_rebuilt (LIKE lease INCLUDING ALL)");
        Progress progress = new Progress(events.createTailToken(), 0);
        for (int pass = 0; pass < PASSES; pass++) {
            progress = fold(progress.token());
            if (progress.events() < BATCH) {
                break;
            }
        }
        jdbc.execute("ANALYZE lease_rebuilt");
        for (int attempt = 0; attempt < SWAPS; attempt++) {
            if (swapped(progress.token())) {
                return count();
            }
            progress = fold(progress.token());
        }
        throw new IllegalStateException("the leases are read without a pause");
    }

    /** Whether the tables are swapped; if not, nothing has happened and no lock is held. */
    private boolean swapped(@Nullable TrackingToken token) {
        try {
            swap.executeWithoutResult(
                    _ -> {
                        jdbc.execute(LOCK_APPENDS);
                        fold(token);
                        jdbc.execute(WAIT_SHORTLY);
                        replaceTable();
                    });
            return true;
        } catch (DataAccessException e) {
            if (e.getMostSpecificCause() instanceof SQLException cause
                    && LOCK_NOT_AVAILABLE.equals(cause.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    /** The indexes take the names of those that they replace, for the sake of later migrations. */
    private void replaceTable() {
        List<String> renames =
                jdbc.queryForList(
                        """
                        SELECT format('ALTER INDEX %s RENAME TO %I', new.indexrelid::regclass,
                            (SELECT relname FROM pg_class WHERE oid = old.indexrelid))
                        FROM pg_index old JOIN pg_index new ON old.indkey::text = new.indkey::text
                        WHERE old.indrelid = 'lease'::regclass
                          AND new.indrelid = 'lease_rebuilt'::regclass
                        """,
                        String.class);
        jdbc.execute("DROP TABLE lease");
        jdbc.execute("ALTER TABLE lease_rebuilt RENAME TO lease");
        renames.forEach(jdbc::execute);
    }

    private Progress fold(@Nullable TrackingToken token) {
        TrackingToken last = token;
        long folded = 0;
        try (Stream<? extends TrackedEventMessage<?>> stream = events.readEvents(token, false)) {
            Iterator<? extends TrackedEventMessage<?>> iterator = stream.iterator();
            List<TrackedEventMessage<?>> batch = new ArrayList<>();
            while (iterator.hasNext()) {
                TrackedEventMessage<?> event = iterator.next();
                last = event.trackingToken();
                folded++;
                batch.add(event);
                if (batch.size() == BATCH || !iterator.hasNext()) {
                    rebuilt.accept(batch);
                    batch.clear();
                }
            }
        }
        return new Progress(last, folded);
    }

    private long count() {
        Long leases = jdbc.queryForObject("SELECT count(*) FROM lease", Long.class);
        return leases == null ? 0 : leases;
    }

    /** How far the events are folded, and how many of them by the last pass. */
    private record Progress(@Nullable TrackingToken token, long events) {}
}
