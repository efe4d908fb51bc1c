package org.leasehold.command.whatif;

import org.leasehold.command.whatif.SideBySide.Limits;
import org.leasehold.history.EventLog;
import org.leasehold.history.RecordedEvent;
import org.leasehold.query.Positions;
import org.leasehold.resource.Plugins;
import org.leasehold.whatif.Comparison;
import org.leasehold.whatif.WhatIf;
import org.leasehold.whatif.World;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

/** Replays stored events. It reads without locks, and waits for no transaction. */
final class StoredPast implements WhatIf {

    private static final int BATCH = 5_000;

    /** More events take longer than a caller waits. */
    private static final long MOST_EVENTS = 2_000_000;

    /** Bytes of an unfinished lease with its grants in both worlds; measured were 3.6 KB. */
    private static final long BYTES_OF_LEASE = 4_096;

    /** The maximum difference of nodes' clocks, and of decision and storage times. */
    private static final Duration CLOCKS = Duration.ofHours(1);

    private final DataSource dataSource;
    private final EventLog log;
    private final Positions positions;
    private final Plugins plugins;
    private final Limits limits;

    /**
     * @param memory the memory that a replay may use, in bytes
     */
    StoredPast(
            DataSource dataSource,
            EventLog log,
            Positions positions,
            Plugins plugins,
            long memory) {
        this.dataSource = dataSource;
        this.log = log;
        this.positions = positions;
        this.plugins = plugins;
        this.limits = new Limits(MOST_EVENTS, memory / BYTES_OF_LEASE);
    }

    @Override
    public Comparison compare(World world) {
        SideBySide worlds = new SideBySide(world, plugins, limits);
        long position = positions.at(worlds.begins());
        long last = positions.at(world.to().plus(CLOCKS));
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            log.prologue(connection, worlds.begins(), position, worlds::happenedBefore);
            connection.commit();
            connection.setAutoCommit(true);
            while (position < last) {
                List<RecordedEvent> batch = log.after(connection, position, BATCH);
                worlds.take(batch);
                position = batch.getLast().position();
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the events could not be read", e);
        }
        return worlds.finish();
    }
}
