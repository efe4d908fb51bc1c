package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.mock.env.MockEnvironment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.stream.Stream;

@Isolated("reads what this process prints")
@ExtendWith(OutputCaptureExtension.class)
class EmbeddedUsersTest {

    @TempDir private Path folder;

    @Test
    void the_first_start_makes_passwords_without_a_warning(CapturedOutput output) {
        EmbeddedUsers firstUsers = new EmbeddedUsers(folder);
        Properties first = firstUsers.settings();
        firstUsers.logNewPasswords();

        EmbeddedUsers users = new EmbeddedUsers(folder);
        assertThat(users.settings()).isEqualTo(first);
        users.logNewPasswords();
        assertThat(output).doesNotContain("lacks passwords");
    }

    @Test
    void lost_passwords_are_replaced_with_a_warning_that_names_the_users(CapturedOutput output)
            throws IOException {
        Properties first = new EmbeddedUsers(folder).settings();
        removePasswords("reader=");

        EmbeddedUsers users = new EmbeddedUsers(folder);
        Properties second = users.settings();
        users.logNewPasswords();

        assertThat(second).isNotEqualTo(first);
        assertThat(second.getProperty("leasehold.gateway.users[0].password"))
                .isEqualTo(first.getProperty("leasehold.gateway.users[0].password"));
        assertThat(output).contains("lacks passwords").contains("[reader]");
    }

    @Test
    void a_folder_of_an_older_version_gains_users_without_a_warning(CapturedOutput output)
            throws IOException {
        Properties first = new EmbeddedUsers(folder).settings();
        removePasswords("planner=", "auditor=", "biller=");

        EmbeddedUsers users = new EmbeddedUsers(folder);
        Properties second = users.settings();
        users.logNewPasswords();

        assertThat(second.keySet()).isEqualTo(first.keySet());
        assertThat(second.getProperty("leasehold.gateway.users[0].password"))
                .isEqualTo(first.getProperty("leasehold.gateway.users[0].password"));
        assertThat(output)
                .contains("This version adds the users [planner, auditor, biller]")
                .doesNotContain("lacks passwords");
    }

    @Test
    void a_start_warns_only_when_logging_is_set_up(CapturedOutput output) throws IOException {
        new EmbeddedUsers(folder).settings();
        removePasswords("reader=");
        DefaultBootstrapContext bootstrap = new DefaultBootstrapContext();
        MockEnvironment environment =
                new MockEnvironment().withProperty("leasehold.database.folder", folder.toString());

        new EmbeddedMode(bootstrap).postProcessEnvironment(environment, Leasehold.application());
        assertThat(output).doesNotContain("lacks passwords");

        bootstrap.close(new GenericApplicationContext());
        assertThat(output).contains("lacks passwords").contains("[reader]");
    }

    @Test
    void the_netrc_file_has_a_line_for_each_user_of_the_address() throws IOException {
        EmbeddedUsers users = new EmbeddedUsers(folder);
        users.writeClientFiles("http://[::1]:1234/v1");
        assertThat(Files.readAllLines(users.netrcFile()))
                .hasSize(7)
                .allMatch(line -> line.startsWith("machine ::1 login "))
                .first()
                .asString()
                .matches("machine ::1 login demo password [A-Za-z0-9_-]{32}");

        users.writeClientFiles("http://lease_hold:1234/v1");
        assertThat(Files.readAllLines(users.netrcFile()))
                .allMatch(line -> line.startsWith("machine lease_hold login "));

        users.writeClientFiles("http://127.0.0.1:1234/v1");
        assertThat(Files.readAllLines(users.netrcFile()))
                .filteredOn(line -> line.contains(" login planner "))
                .extracting(line -> line.split(" ", -1)[1])
                .containsExactly("127.0.0.1", "localhost");
    }

    private void removePasswords(String... users) throws IOException {
        Path file = folder.resolve("secrets.properties");
        Files.writeString(
                file,
                Files.readString(file)
                        .lines()
                        .filter(line -> Stream.of(users).noneMatch(line::startsWith))
                        .reduce("", (text, line) -> text + line + "\n"));
    }
}
