package org.leasehold.runtime;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;

/**
 * A copy of the classes in a build's folders. {@code mvn spring-boot:run} runs the classes where
 * the compiler writes them. Without the copy, a build would replace them under the running engine,
 * which loads many of them only when it needs them.
 */
final class ClassPathCopy {

    private static final String PREFIX = "leasehold-classes-";

    private ClassPathCopy() {}

    /** Returns the loader of a class, or one of a copy if the class is in a build's folder. */
    static ClassLoader engineLoader(Class<?> type) throws IOException, URISyntaxException {
        URL source = type.getProtectionDomain().getCodeSource().getLocation();
        if (!source.getProtocol().equals("file") || !Files.isDirectory(Path.of(source.toURI()))) {
            return type.getClassLoader();
        }
        List<Path> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            entries.add(Path.of(entry));
        }
        Path copies = Files.createTempDirectory(PREFIX + ProcessHandle.current().pid() + "-");
        deleteOldCopies(copies);
        return loader(entries, copies);
    }

    /** Deletes the copies of processes that were killed, beside a new one of the same account. */
    static void deleteOldCopies(Path copies) throws IOException {
        UserPrincipal account = Files.getOwner(copies);
        try (DirectoryStream<Path> found =
                Files.newDirectoryStream(copies.resolveSibling("."), PREFIX + "*-*")) {
            for (Path each : found) {
                String pid = each.getFileName().toString().split("-", -1)[2];
                boolean isOver =
                        pid.matches("\\d{1,9}") && ProcessHandle.of(Long.parseLong(pid)).isEmpty();
                try {
                    if (isOver && Files.getOwner(each, LinkOption.NOFOLLOW_LINKS).equals(account)) {
                        deleteFolder(each);
                    }
                } catch (NoSuchFileException ignored) {
                    // Another engine, which starts now, deletes it, too.
                }
            }
        }
    }

    private static void deleteFolder(Path folder) throws IOException {
        Files.walkFileTree(
                folder,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path visited, @Nullable IOException failure) throws IOException {
                        Files.delete(visited);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    /**
     * Returns a loader of these entries of a class path. It reads folders, and jars in a build's
     * folder, from a copy that the JVM deletes after its last shutdown hook.
     */
    static URLClassLoader loader(List<Path> entries, Path copies) throws IOException {
        copies.toFile().deleteOnExit();
        List<URL> urls = new ArrayList<>();
        for (Path entry : entries) {
            Path copy = copies.resolve(Integer.toString(urls.size()));
            if (Files.isDirectory(entry)) {
                copyFolder(entry, copy);
                urls.add(url(copy));
            } else if (Files.exists(entry) && isBuilt(entry)) {
                copyFile(entry, copy);
                urls.add(url(copy));
            } else {
                urls.add(url(entry));
            }
        }
        return new URLClassLoader(
                "engine", urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private static boolean isBuilt(Path jar) {
        Path folder = jar.toAbsolutePath().getParent();
        return folder != null && folder.endsWith("target");
    }

    private static void copyFolder(Path from, Path to) throws IOException {
        Files.walkFileTree(
                from,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path folder, BasicFileAttributes attributes) throws IOException {
                        Path copy = to.resolve(from.relativize(folder));
                        Files.createDirectories(copy);
                        copy.toFile().deleteOnExit();
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        copyFile(file, to.resolve(from.relativize(file)));
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    private static void copyFile(Path from, Path to) throws IOException {
        Files.copy(from, to);
        to.toFile().deleteOnExit();
    }

    private static URL url(Path path) throws MalformedURLException {
        return path.toUri().toURL();
    }
}
