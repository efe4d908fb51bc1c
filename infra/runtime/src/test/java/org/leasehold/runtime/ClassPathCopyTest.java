package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class ClassPathCopyTest {

    private static final String CLASS_FILE = "org/leasehold/runtime/Launcher.class";

    @TempDir private Path build;
    @TempDir private Path copies;

    @Test
    void a_copied_class_loads_after_a_build_deleted_the_original() throws Exception {
        Path original = createClasses();
        Path jar = Files.createDirectory(build.resolve("target")).resolve("empty.jar");
        Files.write(jar, emptyZip());
        Path kept = Files.write(build.resolve("kept.jar"), emptyZip());

        try (URLClassLoader loader =
                ClassPathCopy.loader(List.of(build.resolve("classes"), jar, kept), copies)) {
            Files.delete(original);
            Files.delete(jar);

            assertThat(loader.loadClass(Launcher.class.getName()).getClassLoader())
                    .isSameAs(loader);
            assertThat(loader.getURLs()[1].getPath()).startsWith(copies.toString());
            assertThat(loader.getURLs()[2]).isEqualTo(kept.toUri().toURL());
        }
    }

    @Test
    void a_start_deletes_the_copies_of_killed_processes() throws IOException {
        Path killed = Files.createDirectory(copies.resolve("leasehold-classes-999999999-1"));
        Files.createFile(Files.createDirectory(killed.resolve("0")).resolve("A.class"));
        long pid = ProcessHandle.current().pid();
        Path own = Files.createDirectory(copies.resolve("leasehold-classes-" + pid + "-2"));
        Path other = Files.createDirectory(copies.resolve("leasehold-classes-other-3"));

        ClassPathCopy.deleteOldCopies(own);

        assertThat(killed).doesNotExist();
        assertThat(own).exists();
        assertThat(other).exists();
    }

    @Test
    void classes_of_a_jar_are_not_copied() throws Exception {
        assertThat(ClassPathCopy.engineLoader(Test.class)).isSameAs(Test.class.getClassLoader());
    }

    private Path createClasses() throws IOException {
        Path file = build.resolve("classes").resolve(CLASS_FILE);
        Files.createDirectories(file.getParent());
        try (var source = Launcher.class.getResourceAsStream("Launcher.class")) {
            Files.copy(source, file);
        }
        return file;
    }

    /** Returns the end record of a zip file, which is a zip file without entries. */
    private static byte[] emptyZip() {
        byte[] zip = new byte[22];
        System.arraycopy(new byte[] {'P', 'K', 5, 6}, 0, zip, 0, 4);
        return zip;
    }
}
