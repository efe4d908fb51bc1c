package org.leasehold.query.projection;

import org.leasehold.history.RecordedEvent;
import org.leasehold.query.rebuild.Rebuildable;
import org.leasehold.query.rebuild.ShadowTable;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.List;

/** A rebuild of a projection in second tables, which replace the served ones. */
public final class RebuildableProjection implements Rebuildable {

    private final JdbcTemplate jdbc;
    private final Projection projection;

    public RebuildableProjection(JdbcTemplate jdbc, Projection projection) {
        this.jdbc = jdbc;
        this.projection = projection;
    }

    @Override
    public String name() {
        return projection.name();
    }

    @Override
    public Draft begin() {
        return new SecondTables(
                jdbc,
                projection,
                projection.tables().stream()
                        .map(table -> ShadowTable.create(jdbc, table))
                        .toList());
    }

    private static final class SecondTables implements Draft {

        private final JdbcTemplate jdbc;
        private final Projection projection;
        private final List<ShadowTable> tables;
        private long position;

        SecondTables(JdbcTemplate jdbc, Projection projection, List<ShadowTable> tables) {
            this.jdbc = jdbc;
            this.projection = projection;
            this.tables = tables;
        }

        @Override
        public void apply(List<RecordedEvent> events) {
            projection.apply(events, ShadowTable::shadowName);
            position = events.getLast().position();
        }

        @Override
        public void finish() {
            tables.forEach(ShadowTable::analyze);
        }

        /** Locks the row, so that no projector continues from here or is running. */
        @Override
        public void lockBeforeAppends() {
            jdbc.queryForList(
                    "SELECT position FROM projection WHERE name = ? FOR UPDATE", projection.name());
        }

        @Override
        public void lockAfterAppends() {
            tables.forEach(ShadowTable::lockOriginal);
        }

        @Override
        public void replace() {
            tables.forEach(ShadowTable::replaceOriginal);
            jdbc.update(
                    "UPDATE projection SET position = ? WHERE name = ?",
                    position,
                    projection.name());
        }
    }
}
