package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

@Isolated("reads what this process prints")
@ExtendWith(OutputCaptureExtension.class)
class EmbeddedUsersTest {

    @TempDir private Path folder;

    @Test
    void the_first_start_makes_passwords_without_a_warning(CapturedOutput output) {
        Properties first = new EmbeddedUsers(folder).settings();

        assertThat(new EmbeddedUsers(folder).settings()).isEqualTo(first);
        assertThat(output).doesNotContain("lacks passwords");
    }

    @Test
    void lost_passwords_are_replaced_with_a_warning_that_names_the_users(CapturedOutput output)
            throws IOException {
        Properties first = new EmbeddedUsers(folder).settings();
        Path file = folder.resolve("secrets.properties");
        Files.writeString(
                file,
                Files.readString(file)
                        .lines()
                        .filter(line -> !line.startsWith("reader="))
                        .reduce("", (text, line) -> text + line + "\n"));

        Properties second = new EmbeddedUsers(folder).settings();

        assertThat(second).isNotEqualTo(first);
        assertThat(second.getProperty("leasehold.gateway.users[0].password"))
                .isEqualTo(first.getProperty("leasehold.gateway.users[0].password"));
        assertThat(output).contains("lacks passwords").contains("[reader]");
    }
}
