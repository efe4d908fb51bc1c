package org.leasehold.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

class DataFolderTest {

    @TempDir private Path parent;

    @Test
    void a_new_folder_is_private() throws IOException {
        try (DataFolder folder = DataFolder.open(parent.resolve("a/b"))) {
            assertThat(mode(folder.path())).isEqualTo("rwx------");
        }
    }

    @Test
    void an_existing_folder_is_closed_to_other_accounts() throws IOException {
        Path old = Files.createDirectory(parent.resolve("data"));
        Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("rwxr-xr-x"));

        DataFolder.open(old).close();

        assertThat(mode(old)).isEqualTo("rwx------");
    }

    @Test
    void a_folder_writable_by_other_accounts_is_refused() throws IOException {
        Path open = Files.createDirectory(parent.resolve("data"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThatThrownBy(() -> DataFolder.open(open))
                .isInstanceOf(DataFolderException.class)
                .hasMessageContaining("Other accounts can write");
        assertThat(open).isEmptyDirectory();
    }

    @Test
    void only_one_engine_at_a_time_uses_a_folder() throws IOException {
        try (DataFolder first = DataFolder.open(parent.resolve("data"))) {
            assertThatThrownBy(() -> DataFolder.open(first.path()))
                    .isInstanceOf(DataFolderException.class)
                    .hasMessageEndingWith("is in use by another engine");
        }

        DataFolder.open(parent.resolve("data")).close();
    }

    @Test
    void a_name_with_shell_syntax_is_refused() {
        assertThatThrownBy(() -> DataFolder.open(parent.resolve("a$(id)b")))
                .isInstanceOf(DataFolderException.class);
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void a_symbolic_link_is_followed() throws IOException {
        Path target = Files.createDirectory(parent.resolve("target"));
        Path link = Files.createSymbolicLink(parent.resolve("link"), target);

        try (DataFolder folder = DataFolder.open(link)) {
            assertThat(folder.path()).isEqualTo(target.toRealPath());
        }
    }

    @Test
    void a_name_that_the_locale_cannot_encode_is_refused() {
        assertThatThrownBy(() -> DataFolder.parsePath("d\uFFFDt\uFFFD"))
                .isInstanceOf(DataFolderException.class)
                .hasMessageContaining("LC_ALL=C.UTF-8");
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
