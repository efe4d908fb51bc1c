package org.leasehold.saga.scheduler;

import org.postgresql.PGStatement;
import org.springframework.jdbc.core.JdbcTemplate;

import java.sql.SQLException;
import java.sql.Statement;

import javax.sql.DataSource;

/**
 * A template that plans each statement for the table as it is now. A table of work is empty for
 * days, and has ten thousand rows a second later. An old plan would read all of them, each time.
 */
public final class ReplanningJdbcTemplate extends JdbcTemplate {

    public ReplanningJdbcTemplate(DataSource dataSource) {
        super(dataSource);
    }

    @Override
    protected void applyStatementSettings(Statement statement) throws SQLException {
        super.applyStatementSettings(statement);
        statement.unwrap(PGStatement.class).setPrepareThreshold(0);
    }
}
