package org.leasehold.command.whatif;

import org.leasehold.command.whatif.ScenarioComparison.Limits;
import org.leasehold.history.EventLog;
import org.leasehold.history.RecordedEvent;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.resource.Plugins;
import org.leasehold.whatif.Comparison;
import org.leasehold.whatif.WhatIf;
import org.leasehold.whatif.WhatIfScenario;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

/** Replays stored events. It reads without locks, and waits for no transaction. */
final class EventLogWhatIf implements WhatIf {

    private static final int BATCH = 5_000;

    /** More events take longer than a caller waits. */
    private static final long MAX_EVENTS = 2_000_000;

    /** Bytes of an unfinished lease with its grants in both scenarios; measured were 3.6 KB. */
    private static final long BYTES_OF_LEASE = 4_096;

    /** The maximum difference of nodes' clocks, and of decision and storage times. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofHours(1);

    private final DataSource dataSource;
    private final EventLog log;
    private final EventLogPositions positions;
    private final Plugins plugins;
    private final Limits limits;

    /**
     * @param memory the memory that a replay may use, in bytes
     */
    EventLogWhatIf(
            DataSource dataSource,
            EventLog log,
            EventLogPositions positions,
            Plugins plugins,
            long memory) {
        this.dataSource = dataSource;
        this.log = log;
        this.positions = positions;
        this.plugins = plugins;
        this.limits = new Limits(MAX_EVENTS, memory / BYTES_OF_LEASE);
    }

    @Override
    public Comparison compare(WhatIfScenario world) {
        ScenarioComparison worlds = new ScenarioComparison(world, plugins, limits);
        long position = positions.at(worlds.firstDecisionTime());
        long last = positions.at(world.to().plus(CLOCK_TOLERANCE));
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            log.readPriorEvents(
                    connection, worlds.firstDecisionTime(), position, worlds::applyPrior);
            connection.commit();
            connection.setAutoCommit(true);
            while (position < last) {
                List<RecordedEvent> batch = log.readAfter(connection, position, BATCH);
                worlds.replay(batch);
                position = batch.getLast().position();
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the events could not be read", e);
        }
        return worlds.finish();
    }
}
