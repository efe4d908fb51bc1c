package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.runtime.database.DatabaseAddress;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** An empty engine beside a Blazar, and the commands that import and verify. */
abstract class BlazarImportFixture extends ImportedBlazar {

    @TempDir private static Path folder;
    static DatabaseAddress own;
    static Product product;
    private static Path configuration;

    @BeforeAll
    static void start() throws IOException, SQLException {
        own = SharedPostgres.migrated();
        configuration = folder.resolve("blazar.conf");
        Files.writeString(
                configuration,
                """
                [DEFAULT]
                cleaning_time = 0
                os_admin_password = geheim
                [manager]
                plugins = physical.host.plugin,dummy.vm.plugin
                [enforcement]
                enabled_filters = MaxLeaseDurationFilter,ExternalServiceFilter
                max_lease_duration = 86400
                """);
        product = launch();
    }

    static void startProduct() {
        product = launch();
    }

    private static Product launch() {
        // A survey of the simulated cloud would report healthy hosts at any moment. The clock is
        // that of the commands, which import leases at the time of this machine.
        return Product.on(
                own,
                own,
                RuntimeConfiguration.microsecondClock(),
                folder,
                "leasehold.saga.watching=1h");
    }

    @AfterAll
    static void stop() throws SQLException {
        product.close();
        blazar.close();
    }

    static void revision(String revision) throws SQLException {
        blazar.execute("UPDATE alembic_version SET version_num = '" + revision + "'");
    }

    static long events() throws SQLException {
        return Long.parseLong(query("SELECT count(*) FROM domain_event"));
    }

    static int disabled() {
        try {
            return Integer.parseInt(
                    query("SELECT count(*) FROM resource WHERE state = 'DISABLED'"));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the one value of a query of the engine's database. */
    static String query(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(own.url(), own.user(), "");
                var statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }

    /** Returns the output of the command, and its exit status. */
    static String moveIn(String... more) throws SQLException, IOException {
        List<String> settings =
                new ArrayList<>(
                        List.of(
                                "--leasehold.moving.url=" + blazars.url(),
                                "--leasehold.moving.user=" + blazars.user(),
                                "--leasehold.moving.configuration=" + configuration));
        settings.addAll(List.of(more));
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int code = BlazarImportCommand.run(withDatabase(settings), print(output));
        return output.toString(StandardCharsets.UTF_8) + code;
    }

    static String verify() throws SQLException {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int code = VerifyCommand.run(withDatabase(List.of()), print(output));
        return output.toString(StandardCharsets.UTF_8) + code;
    }

    private static String[] withDatabase(List<String> settings) {
        List<String> all =
                new ArrayList<>(
                        List.of(
                                "--leasehold.database.url=" + own.url(),
                                "--leasehold.database.user=" + own.user(),
                                "--leasehold.database.password=none"));
        all.addAll(settings);
        return all.toArray(String[]::new);
    }

    private static PrintStream print(ByteArrayOutputStream output) {
        return new PrintStream(output, true, StandardCharsets.UTF_8);
    }
}
