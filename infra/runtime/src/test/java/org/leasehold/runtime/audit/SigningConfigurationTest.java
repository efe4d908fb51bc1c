package org.leasehold.runtime.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.query.seal.SigningKeys;
import org.leasehold.runtime.database.DatabaseSettings;
import org.leasehold.seal.SigningKey;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

class SigningConfigurationTest {

    @TempDir Path folder;

    @Test
    void the_embedded_database_gets_a_private_key_file_once() throws IOException {
        SigningKeys made = keys(null, null, null);
        SigningKeys again = keys(null, null, null);

        Path file = folder.resolve("audit-key.pem");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(made.present()).isNotNull();
        assertThat(again).hasToString(made.toString());
        assertThat(Files.readString(file)).doesNotContain(made.toString());
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void an_external_database_has_no_signing_key_unless_one_is_configured() throws IOException {
        Path present = write("present.pem");
        Path former = write("former.pem");

        assertThat(keys("jdbc:postgresql://db/leasehold", null, null).present()).isNull();

        SigningKeys named = keys("jdbc:postgresql://db/leasehold", present, former);
        assertThat(named.present()).hasToString(key(present).id());
        assertThat(named.before()).hasToString(key(former).id());
    }

    @Test
    void an_invalid_key_file_is_named_without_the_content() throws IOException {
        Path file = Files.writeString(folder.resolve("x.pem"), "secret");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> keys(null, file, null))
                .withMessageContaining("x.pem")
                .withMessageNotContaining("secret");
    }

    private SigningKeys keys(@Nullable String url, @Nullable Path present, @Nullable Path former) {
        return new SigningConfiguration()
                .signingKeys(
                        new AuditSettings(present, former, Duration.ofDays(1), Duration.ofDays(1)),
                        new DatabaseSettings(url, null, null, folder, 24, 8, 100));
    }

    private Path write(String name) throws IOException {
        return Files.writeString(folder.resolve(name), SigningKey.generate());
    }

    private static SigningKey key(Path file) throws IOException {
        return SigningKey.of(Files.readString(file));
    }
}
