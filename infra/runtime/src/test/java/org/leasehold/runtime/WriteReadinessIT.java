package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.runtime.database.DatabaseAddress;
import org.leasehold.runtime.health.WritabilityCheck;
import org.leasehold.testdatabase.TestDatabase;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;

/** Tests that readiness matches the result of writes. */
class WriteReadinessIT {

    private static final String READINESS = "/actuator/health/readiness";

    @TempDir private static Path folder;

    private static DatabaseAddress database;
    private static Product product;

    @BeforeAll
    static void start() {
        product = Product.start(folder);
        // Until its first check of the cloud is over, an engine is not ready.
        product.asAnonymous().awaitReady();
        database = SharedPostgres.of(folder);
    }

    @AfterAll
    static void stop() {
        product.close();
    }

    @Test
    void a_node_with_a_full_disk_is_unready_until_a_write_succeeds() throws SQLException {
        Client admin = product.as("admin");
        admin.get(READINESS).expect(200);
        change(
                """
                CREATE FUNCTION be_full() RETURNS trigger LANGUAGE plpgsql AS
                    'BEGIN RAISE EXCEPTION ''no space left on device'' USING ERRCODE = ''53100''; END';
                CREATE TRIGGER be_full BEFORE INSERT ON domain_event
                    FOR EACH ROW EXECUTE FUNCTION be_full()
                """);
        assertThat(enrol(admin, "compute-15")).isEqualTo(503);
        assertThat(admin.get(READINESS).status()).isEqualTo(503);
        assertThat(admin.get("/actuator/health/liveness").status()).isEqualTo(200);
        assertThat(admin.get("/api/resources").status()).isEqualTo(200);

        change("DROP FUNCTION be_full CASCADE");
        assertThat(enrol(admin, "compute-15")).isEqualTo(201);
        assertThat(admin.get(READINESS).status()).isEqualTo(200);
    }

    private static int enrol(Client admin, String host) {
        return admin.post("/v1/os-hosts", Map.of("name", host)).status();
    }

    private static void change(String statements) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(
                                database.url(), database.user(), database.password());
                Statement statement = connection.createStatement()) {
            statement.execute(statements);
        }
    }

    @Test
    void a_trial_detects_a_read_only_database() {
        try (TestDatabase empty = TestDatabase.empty()) {
            assertThat(trial(empty, "-c jit=off").get()).isEmpty();
            assertThat(trial(empty, "-c default_transaction_read_only=on").get()).isPresent();
            assertThat(trial(empty, "-c jit=off").get()).isEmpty();
        }
    }

    @Test
    void a_trial_writes_a_temporary_file() {
        try (TestDatabase empty = TestDatabase.empty()) {
            assertThat(temporaryBytes(empty)).isZero();
            assertThat(trial(empty, "-c jit=off").get()).isEmpty();
            Await.until("a temporary file is counted", () -> temporaryBytes(empty) > 0);
        }
    }

    @Test
    void a_temporary_file_quota_does_not_fail_a_trial() {
        try (TestDatabase empty = TestDatabase.empty()) {
            assertThat(trial(empty, "-c temp_file_limit=0").get()).isEmpty();
        }
    }

    private static long temporaryBytes(TestDatabase database) {
        return JdbcClient.create(new DriverManagerDataSource(database.url()))
                .sql("SELECT temp_bytes FROM pg_stat_database WHERE datname = current_database()")
                .query(Long.class)
                .single();
    }

    /** Creates a trial with a limit on temporary files, as on a full disk. */
    private static WritabilityCheck trial(TestDatabase database, String options) {
        Properties properties = new Properties();
        properties.setProperty("options", options);
        return new WritabilityCheck(new DriverManagerDataSource(database.url(), properties));
    }
}
