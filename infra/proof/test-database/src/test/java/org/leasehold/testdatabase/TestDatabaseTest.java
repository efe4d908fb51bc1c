package org.leasehold.testdatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

class TestDatabaseTest {

    private final AtomicInteger migrations = new AtomicInteger();

    @Test
    void a_template_is_migrated_once_and_copied_into_each_database() throws SQLException {
        try (TestDatabase one = TestDatabase.migrated("rows", this::migrate);
                TestDatabase other = TestDatabase.migrated("rows", this::migrate)) {
            execute(one, "INSERT INTO kept VALUES (2)");

            assertThat(count(one.dataSource().getConnection())).isEqualTo(2);
            assertThat(count(other.dataSource().getConnection())).isEqualTo(1);
        }
        assertThat(migrations).hasValue(1);
    }

    @Test
    void the_url_connects_to_the_database() throws SQLException {
        try (TestDatabase database = TestDatabase.empty()) {
            migrate(database.dataSource());

            assertThat(count(DriverManager.getConnection(database.url()))).isEqualTo(1);
        }
    }

    @Test
    void a_closed_database_is_gone_even_if_a_connection_is_open() throws SQLException {
        TestDatabase database = TestDatabase.empty();
        try (Connection forgotten = DriverManager.getConnection(database.url())) {
            database.close();

            assertThat(forgotten.isValid(5)).isFalse();
            assertThatThrownBy(() -> DriverManager.getConnection(database.url()))
                    .hasMessageContaining("does not exist");
        }
    }

    private void migrate(DataSource empty) {
        migrations.incrementAndGet();
        try (Connection connection = empty.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE kept (id int); INSERT INTO kept VALUES (1)");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void execute(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int count(Connection connection) throws SQLException {
        try (connection;
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM kept")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
