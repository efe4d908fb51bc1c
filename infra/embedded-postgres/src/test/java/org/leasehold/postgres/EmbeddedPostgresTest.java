package org.leasehold.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

class EmbeddedPostgresTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** The programs, unpacked once for all tests. */
    @TempDir private static Path shared;

    @TempDir private Path parent;
    private final List<EmbeddedPostgres> servers = new ArrayList<>();
    private final CountDownLatch lost = new CountDownLatch(1);

    @BeforeEach
    void bringPrograms() throws IOException {
        Path programs =
                PostgresBinaries.install(shared).program("postgres").getParent().getParent();
        DataFolder.open(folder()).close();
        Files.createSymbolicLink(folder().resolve(programs.getFileName()), programs);
    }

    @AfterEach
    void stop() throws IOException {
        for (EmbeddedPostgres server : servers) {
            server.close();
        }
    }

    @Test
    void the_engine_logs_in_with_a_password_and_is_not_a_superuser() throws SQLException {
        ConnectionParameters service = start().connectionParameters();

        assertThat(
                        ask(
                                service,
                                "SELECT current_user || ' ' || rolsuper || rolreplication"
                                        + " FROM pg_roles WHERE rolname = current_user"))
                .isEqualTo("leasehold falsefalse");
        assertThat(ask(service, "CREATE EXTENSION btree_gist; SELECT 'done'")).isEqualTo("done");
        assertThatThrownBy(() -> ask(service, "COPY (SELECT 1) TO PROGRAM 'true'"))
                .hasMessageContaining("permission denied");
    }

    @Test
    void a_login_without_the_password_is_refused() {
        ConnectionParameters service = start().connectionParameters();

        assertRefused(service, "leasehold", "");
        assertRefused(service, "leasehold", "wrong");
        assertRefused(service, "postgres", "");
        assertRefused(service, "postgres", service.password());
    }

    @Test
    void the_files_are_private_and_the_server_opens_no_socket_in_tmp() throws IOException {
        start();

        assertThat(mode(folder())).isEqualTo("rwx------");
        assertThat(mode(folder().resolve("postgres"))).isEqualTo("rwx------");
        assertThat(mode(folder().resolve("pg_service.conf"))).isEqualTo("rw-------");
        assertThat(mode(folder().resolve("postgres/pg_hba.conf"))).isEqualTo("rw-------");
        assertThat(Files.readAllLines(folder().resolve("postgres/pg_hba.conf")))
                .as("one rule for databases, and none for replication")
                .filteredOn(line -> !line.isBlank() && !line.startsWith("#"))
                .hasSize(1)
                .first()
                .asString()
                .doesNotContain("replication");
        try (Stream<Path> sockets = Files.list(Path.of("/tmp"))) {
            int port = servers.getFirst().connectionParameters().port();
            assertThat(sockets).noneMatch(file -> file.endsWith(".s.PGSQL." + port));
        }
    }

    @Test
    void the_server_runs_from_a_private_folder_within_the_data_folder() throws IOException {
        start();

        Path program = PostgresBinaries.install(folder()).program("postgres");
        Path programs = program.getParent().getParent();
        assertThat(programs.getParent()).isEqualTo(folder());
        assertThat(mode(programs)).isEqualTo("rwx------");
        assertThat(mode(program)).isEqualTo("rwx------");
        assertThat(Server.find(folder()).orElseThrow().info().command())
                .hasValue(program.toRealPath().toString());
    }

    @Test
    void a_closed_server_leaves_no_process_and_no_lock() throws Exception {
        EmbeddedPostgres server = start();
        ask(server.connectionParameters(), "SELECT 1");
        ProcessHandle postmaster = Server.find(folder()).orElseThrow();
        List<ProcessHandle> processes =
                Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
        assertThat(processes).hasSizeGreaterThan(1);

        server.close();

        for (ProcessHandle process : processes) {
            awaitEnd(process);
        }
        assertThat(Server.find(folder())).isEmpty();
        assertThat(folder().resolve("postgres/postmaster.pid")).doesNotExist();
        DataFolder.open(folder()).close();
    }

    @Test
    void a_killed_server_restarts_on_the_same_port() throws Exception {
        ConnectionParameters service = start().connectionParameters();
        ask(service, "CREATE TABLE kept (value text); INSERT INTO kept VALUES ('kept'); SELECT 1");

        kill();

        awaitAnswer(service);
        assertThat(ask(service, "SELECT value FROM kept")).isEqualTo("kept");
    }

    @Test
    void a_failed_restart_is_reported() throws Exception {
        start();
        try (Stream<Path> programs = Files.list(folder())) {
            for (Path folder : programs.filter(EmbeddedPostgresTest::isOfPrograms).toList()) {
                PostgresBinaries.delete(folder);
            }
        }

        kill();

        assertThat(lost.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_frozen_server_is_stopped() throws IOException, InterruptedException {
        EmbeddedPostgres server = start();
        ProcessHandle process = Server.find(folder()).orElseThrow();
        new ProcessBuilder("kill", "-STOP", Long.toString(process.pid())).start().waitFor();

        server.close();

        assertThat(Server.isRunning(process)).isFalse();
    }

    @Test
    void the_next_start_keeps_data_and_password() throws Exception {
        EmbeddedPostgres first = start();
        ask(first.connectionParameters(), "CREATE TABLE kept (value text); SELECT 1");
        first.close();

        ConnectionParameters second = start().connectionParameters();

        assertThat(second.password()).isEqualTo(first.connectionParameters().password());
        assertThat(ask(second, "SELECT count(*) FROM kept")).isEqualTo("0");
    }

    @Test
    void a_lost_password_is_replaced() throws Exception {
        start().close();
        Path file = folder().resolve("pg_service.conf");
        String text = Files.readString(file);
        Files.writeString(file, text.substring(0, text.indexOf("password")));

        assertThat(ask(start().connectionParameters(), "SELECT 1")).isEqualTo("1");
    }

    @Test
    void an_interrupted_first_start_is_repeated() throws Exception {
        Files.createDirectories(folder().resolve("postgres.draft/base"));
        Files.createDirectories(folder().resolve("postgres"));
        assertThat(ask(start().connectionParameters(), "SELECT 1")).isEqualTo("1");
    }

    @Test
    void a_database_without_a_version_file_is_not_replaced() throws Exception {
        start().close();
        Path version = folder().resolve("postgres/PG_VERSION");
        Files.move(version, parent.resolve("kept"));

        assertThatThrownBy(this::start)
                .isInstanceOf(DataFolderException.class)
                .hasMessageContaining("no PG_VERSION");
        Files.move(parent.resolve("kept"), version);
        assertThat(ask(start().connectionParameters(), "SELECT 1")).isEqualTo("1");
    }

    @Test
    void a_reused_process_id_of_a_crashed_server_does_not_block_the_start() throws Exception {
        start().close();
        Files.writeString(
                folder().resolve("postgres/postmaster.pid"),
                ProcessHandle.current().pid() + "\n" + folder().resolve("postgres") + "\n");

        assertThat(ask(start().connectionParameters(), "SELECT 1")).isEqualTo("1");
    }

    @Test
    void a_failed_start_leaves_no_server_and_no_lock() throws Exception {
        start().close();
        Path file = folder().resolve("pg_service.conf");
        String text = Files.readString(file);
        Files.delete(file);
        Files.createDirectories(file.resolve("in-the-way"));

        assertThatThrownBy(this::start).isInstanceOf(DataFolderException.class);

        assertThat(Server.find(folder())).isEmpty();
        PostgresBinaries.delete(file);
        Files.writeString(file, text);
        assertThat(ask(start().connectionParameters(), "SELECT 1")).isEqualTo("1");
    }

    @Test
    void a_running_server_is_found_through_a_link_to_the_folder() throws Exception {
        ConnectionParameters service = start().connectionParameters();
        Path link = Files.createSymbolicLink(parent.resolve("link"), folder());

        assertThat(EmbeddedPostgres.findRunning(link)).hasValue(service);
    }

    @Test
    void a_database_of_an_older_version_gets_an_owner_and_a_password() throws Exception {
        try (DataFolder folder = DataFolder.open(folder())) {
            PostgresBinaries binaries = PostgresBinaries.install(folder.path());
            Path data = Cluster.dataDirectory(folder.path());
            Process initdb =
                    PostgresProgram.builder(
                                    List.of(
                                            binaries.program("initdb").toString(),
                                            "--auth=trust",
                                            "--username=postgres",
                                            "--pgdata=" + data))
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            assertThat(initdb.waitFor()).isZero();
            Server old = new Server(folder.path(), binaries);
            int port = freePort();
            old.start(port, Map.of("unix_socket_directories", "''"));
            ask(
                    new ConnectionParameters(port, "postgres", ""),
                    """
                    CREATE EXTENSION btree_gist;
                    CREATE SCHEMA simulated;
                    CREATE TYPE simulated.mood AS ENUM ('good');
                    CREATE TABLE simulated.kept (id serial, value text, mood simulated.mood);
                    CREATE VIEW simulated.seen AS SELECT value FROM simulated.kept;
                    CREATE SEQUENCE numbers;
                    CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1';
                    INSERT INTO simulated.kept (value, mood) VALUES ('kept', 'good');
                    SELECT 1
                    """);
            old.stop();
        }

        ConnectionParameters service = start().connectionParameters();

        assertRefused(service, "postgres", "");
        assertThat(
                        ask(
                                service,
                                """
                                ALTER TYPE simulated.mood ADD VALUE 'better';
                                ALTER TABLE simulated.kept ADD COLUMN more text;
                                ALTER VIEW simulated.seen RENAME TO looked_at;
                                ALTER SEQUENCE numbers RESTART 7;
                                CREATE OR REPLACE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 2';
                                INSERT INTO simulated.kept (value) VALUES ('new');
                                SELECT one() || ' ' || count(*) FROM simulated.looked_at
                                """))
                .isEqualTo("2 2");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private Path folder() {
        return parent.resolve("data");
    }

    private EmbeddedPostgres start() {
        EmbeddedPostgres server =
                EmbeddedPostgres.start(DataFolder.open(folder()), 20, lost::countDown);
        servers.add(server);
        return server;
    }

    private void kill() {
        Server.find(folder()).orElseThrow().destroyForcibly();
    }

    private static boolean isOfPrograms(Path folder) {
        return String.valueOf(folder.getFileName()).startsWith("postgresql-");
    }

    private static void awaitAnswer(ConnectionParameters service) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                ask(service, "SELECT 1");
                return;
            } catch (SQLException e) {
                assertThat(System.nanoTime()).as(e.getMessage()).isLessThan(deadline);
                Thread.sleep(20);
            }
        }
    }

    /** Waits for the end: the server deletes its file of the process id a little earlier. */
    private static void awaitEnd(ProcessHandle process) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (Server.isRunning(process)) {
            assertThat(System.nanoTime()).as("%s runs", process.pid()).isLessThan(deadline);
            Thread.sleep(20);
        }
    }

    private static void assertRefused(ConnectionParameters service, String user, String password) {
        assertThatThrownBy(() -> DriverManager.getConnection(service.url(), user, password))
                .isInstanceOf(SQLException.class);
    }

    private static String ask(ConnectionParameters service, String sql) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(
                                service.url(), service.user(), service.password());
                Statement statement = connection.createStatement()) {
            boolean rows = statement.execute(sql);
            while (!rows) {
                rows = statement.getMoreResults();
            }
            try (ResultSet answer = statement.getResultSet()) {
                answer.next();
                return answer.getString(1);
            }
        }
    }

    private static String mode(Path file) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
