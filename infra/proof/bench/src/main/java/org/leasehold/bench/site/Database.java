package org.leasehold.bench.site;

import org.leasehold.postgres.ConnectionParameters;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The engine's database, queried directly. */
public record Database(ConnectionParameters service) {

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(service.url(), service.user(), service.password());
    }

    /** Executes one statement, or several with a semicolon after each. */
    public void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    public long queryNumber(String sql) throws SQLException {
        return Long.parseLong(queryText(sql));
    }

    String queryText(String sql) throws SQLException {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getString(1);
        }
    }
}
