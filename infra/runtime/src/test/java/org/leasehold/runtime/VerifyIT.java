package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.stream.Stream;

/** Tests the command that compares the stored state of an engine with the events. */
class VerifyIT extends VerifyFixture {

    @Test
    void the_stored_state_matches_the_events() {
        assertThat(product.verify()).isEmpty();
    }

    @Test
    void the_command_reads_the_database_of_a_running_engine() throws SQLException {
        assertThat(command()).contains("4 leases", ": 0 differences\n").endsWith("\n0");
        sql("DELETE FROM holder");
        try {
            assertThat(command())
                    .contains(
                            "holder: lease "
                                    + running.id()
                                    + " reservation "
                                    + running.reservation()
                                    + " on resource 1: expected",
                            ": 1 differences\n")
                    .endsWith("\n1");
        } finally {
            sql(
                    """
                    INSERT INTO holder
                    SELECT 1, '%s', '%s', (payload #>> '{tenures,0,generation}')::bigint, now()
                    FROM domain_event WHERE event_type = 'LeaseStarting' AND stream_id = '%s'
                    """
                            .formatted(running.reservation(), running.id(), running.id()));
        }
    }

    @Test
    void the_command_reports_a_lost_event(@TempDir Path another) throws IOException, SQLException {
        Path file = another.resolve("last-event");
        Files.writeString(
                file,
                Files.readString(folder.resolve("last-event"))
                        .replaceFirst("position 0", "position 9"));

        assertThat(command("--leasehold.epoch.file=" + file))
                .contains("domain_event: position 9", "the database has lost it")
                .endsWith("\n1");
    }

    @Test
    void the_command_fails_on_a_folder_without_an_engine(@TempDir Path empty) {
        assertThatThrownBy(() -> VerifyCommand.run(settings(empty), System.out))
                .hasMessageContaining(empty.toString());
        assertThat(empty).isEmptyDirectory();
    }

    private String command(String... settings) throws SQLException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int status = VerifyCommand.run(settings(folder, settings), new PrintStream(out, true));
        return out.toString(StandardCharsets.UTF_8) + status;
    }

    private String[] settings(Path folder, String... others) {
        return Stream.concat(Stream.of("--leasehold.database.folder=" + folder), Stream.of(others))
                .toArray(String[]::new);
    }
}
