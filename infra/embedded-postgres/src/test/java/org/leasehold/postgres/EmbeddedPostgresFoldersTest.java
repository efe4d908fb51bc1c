package org.leasehold.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Tests the start on the folder of an earlier, a crashed or an older server. */
class EmbeddedPostgresFoldersTest extends EmbeddedPostgresFixture {

    @TempDir private static Path shared;

    @Override
    Path shared() {
        return shared;
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
}
