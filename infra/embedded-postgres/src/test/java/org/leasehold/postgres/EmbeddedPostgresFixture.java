package org.leasehold.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
import java.util.concurrent.CountDownLatch;

/** Servers of PostgreSQL in temporary folders, which a test starts, kills and queries. */
abstract class EmbeddedPostgresFixture {

    static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir Path parent;
    final List<EmbeddedPostgres> servers = new ArrayList<>();
    final CountDownLatch lost = new CountDownLatch(1);

    /** Returns the folder of the programs, which are unpacked once for all tests of a class. */
    abstract Path shared();

    @BeforeEach
    void bringPrograms() throws IOException {
        Path programs =
                PostgresBinaries.install(shared()).program("postgres").getParent().getParent();
        DataFolder.open(folder()).close();
        Files.createSymbolicLink(folder().resolve(programs.getFileName()), programs);
    }

    @AfterEach
    void stop() throws IOException {
        for (EmbeddedPostgres server : servers) {
            server.close();
        }
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    Path folder() {
        return parent.resolve("data");
    }

    EmbeddedPostgres start() {
        EmbeddedPostgres server =
                EmbeddedPostgres.start(DataFolder.open(folder()), 20, lost::countDown);
        servers.add(server);
        return server;
    }

    void kill() {
        Server.find(folder()).orElseThrow().destroyForcibly();
    }

    static boolean isOfPrograms(Path folder) {
        return String.valueOf(folder.getFileName()).startsWith("postgresql-");
    }

    static void awaitAnswer(ConnectionParameters service) throws InterruptedException {
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
    static void awaitEnd(ProcessHandle process) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (Server.isRunning(process)) {
            assertThat(System.nanoTime()).as("%s runs", process.pid()).isLessThan(deadline);
            Thread.sleep(20);
        }
    }

    static void assertRefused(ConnectionParameters service, String user, String password) {
        assertThatThrownBy(() -> DriverManager.getConnection(service.url(), user, password))
                .isInstanceOf(SQLException.class);
    }

    static String ask(ConnectionParameters service, String sql) throws SQLException {
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

    static String mode(Path file) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
