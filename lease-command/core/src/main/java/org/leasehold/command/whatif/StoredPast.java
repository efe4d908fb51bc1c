package org.leasehold.command.whatif;

import org.leasehold.command.whatif.SideBySide.Limits;
import org.leasehold.history.EventLog;
import org.leasehold.history.RecordedEvent;
import org.leasehold.resource.Plugins;
import org.leasehold.whatif.Comparison;
import org.leasehold.whatif.WhatIf;
import org.leasehold.whatif.World;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import javax.sql.DataSource;

/** Replays what is stored. It reads as others do, and waits for nobody. */
final class StoredPast implements WhatIf {

    private static final int BATCH = 5_000;

    /** More take longer than anybody waits. */
    private static final long MOST_EVENTS = 2_000_000;

    /** A lease that is not over, and what it was promised in both worlds, took 3.6 KB. */
    private static final long BYTES_OF_LEASE = 4_096;

    /** Clocks of nodes differ, but not by so much. */
    private static final Duration CLOCKS = Duration.ofHours(1);

    private final DataSource dataSource;
    private final EventLog log;
    private final Plugins plugins;
    private final Limits limits;

    /**
     * @param memory that a replay may take, in bytes
     */
    StoredPast(DataSource dataSource, EventLog log, Plugins plugins, long memory) {
        this.dataSource = dataSource;
        this.log = log;
        this.plugins = plugins;
        this.limits = new Limits(MOST_EVENTS, memory / BYTES_OF_LEASE);
    }

    @Override
    public Comparison compare(World world) {
        SideBySide worlds = new SideBySide(world, plugins, limits);
        try (Connection connection = dataSource.getConnection()) {
            long position = prologue(connection, worlds);
            Instant last = world.to().plus(CLOCKS);
            List<RecordedEvent> batch = log.after(connection, position, BATCH);
            while (!batch.isEmpty() && !batch.getFirst().decidedAt().isAfter(last)) {
                worlds.take(batch);
                batch = log.after(connection, batch.getLast().position(), BATCH);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the events could not be read", e);
        }
        return worlds.finish();
    }

    private long prologue(Connection connection, SideBySide worlds) throws SQLException {
        connection.setAutoCommit(false);
        long position = log.prologue(connection, worlds.begins(), worlds::take);
        connection.commit();
        connection.setAutoCommit(true);
        return position;
    }
}
