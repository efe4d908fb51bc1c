package org.leasehold.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Tests the process of an embedded PostgreSQL: its rights, its files and its failures. */
class EmbeddedPostgresTest extends EmbeddedPostgresFixture {

    @TempDir private static Path shared;

    @Override
    Path shared() {
        return shared;
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
}
