package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
        Path own = createCopy("own");
        Path killed = createCopy("killed");
        Path running = createCopy("running");
        Path unlocked = Files.createDirectory(copies.resolve("leasehold-classes-unlocked"));

        try (FileChannel channel = FileChannel.open(lock(running), StandardOpenOption.WRITE)) {
            assertThat(channel.tryLock()).isNotNull();
            ClassPathCopy.deleteOldCopies(lock(own));
        }

        assertThat(killed).doesNotExist();
        assertThat(lock(killed)).doesNotExist();
        assertThat(own).exists();
        assertThat(lock(own)).exists();
        assertThat(running).exists();
        assertThat(lock(running)).exists();
        assertThat(unlocked).exists();
    }

    @Test
    void what_cannot_be_deleted_does_not_stop_a_start() throws IOException {
        Path own = createCopy("own");
        Path killed = createCopy("killed");
        Path noFile = Files.createDirectory(copies.resolve("leasehold-classes-a.lock"));

        ClassPathCopy.deleteOldCopies(lock(own));
        ClassPathCopy.deleteOldCopies(copies.resolve("absent").resolve("absent.lock"));

        assertThat(noFile).exists();
        assertThat(killed).doesNotExist();
    }

    @Test
    void classes_of_a_jar_are_not_copied() throws Exception {
        assertThat(ClassPathCopy.engineLoader(Test.class)).isSameAs(Test.class.getClassLoader());
    }

    private Path createCopy(String name) throws IOException {
        Path copy = Files.createDirectory(copies.resolve("leasehold-classes-" + name));
        Files.createFile(Files.createDirectory(copy.resolve("0")).resolve("A.class"));
        Files.createFile(lock(copy));
        return copy;
    }

    private static Path lock(Path copy) {
        return copy.resolveSibling(copy.getFileName() + ".lock");
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
