package org.leasehold.chaos;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;

/**
 * PostgreSQL's driver with a failpoint after each commit, for URLs that begin with {@code
 * jdbc:failpoints:}. All durable effects of the engine and of its simulated cloud are commits. So
 * every effect has a failpoint, and the product's code needs no change.
 */
public final class FailpointDriver implements Driver {

    private static final String PREFIX = "jdbc:failpoints:";

    static {
        try {
            DriverManager.registerDriver(new FailpointDriver());
        } catch (SQLException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Override
    public @Nullable Connection connect(String url, Properties info) throws SQLException {
        return acceptsURL(url)
                ? WatchedConnection.wrap(
                        DriverManager.getConnection(targetUrl(url), info),
                        Failpoints.OF_THIS_PROCESS)
                : null;
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.startsWith(PREFIX);
    }

    private static String targetUrl(String url) {
        return "jdbc:" + url.substring(PREFIX.length());
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) throws SQLException {
        String watched = targetUrl(url);
        return DriverManager.getDriver(watched).getPropertyInfo(watched, info);
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("it logs nothing");
    }
}
