package org.leasehold.runtime;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A copy of the classes in a build's folders. {@code mvn spring-boot:run} runs the classes where
 * the compiler writes them. Without the copy, a build would replace them under the running engine,
 * which loads many of them only when it needs them.
 */
final class ClassPathCopy {

    private static final String PREFIX = "leasehold-classes-";
    private static final String LOCK_SUFFIX = ".lock";

    /** The lock of this process's copy. A channel that nothing refers to would be closed. */
    private static final AtomicReference<@Nullable FileLock> HELD = new AtomicReference<>();

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
        Path lock = createLock();
        Path copies =
                Files.createDirectory(
                        copyOf(lock),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
        deleteOldCopies(lock);
        return loader(entries, copies);
    }

    /**
     * Creates the file that this process locks until it ends. It exists before the copy, so that no
     * other engine finds a copy without a lock. The JVM deletes it after the copy.
     */
    private static Path createLock() throws IOException {
        Path lock = Files.createTempFile(PREFIX, LOCK_SUFFIX);
        lock.toFile().deleteOnExit();
        HELD.set(
                FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE).lock());
        return lock;
    }

    private static Path copyOf(Path lock) {
        String name = lock.getFileName().toString();
        return lock.resolveSibling(name.substring(0, name.length() - LOCK_SUFFIX.length()));
    }

    /**
     * Deletes the copies of processes that were killed, beside a new lock of the same account. An
     * engine in another container may have the same process id, but not the same lock.
     */
    static void deleteOldCopies(Path ownLock) {
        try (DirectoryStream<Path> locks =
                Files.newDirectoryStream(ownLock.resolveSibling("."), PREFIX + "*" + LOCK_SUFFIX)) {
            UserPrincipal account = Files.getOwner(ownLock);
            for (Path each : locks) {
                // Closing another channel of the own file would release the lock.
                if (!each.getFileName().equals(ownLock.getFileName())) {
                    deleteOldCopy(each, account);
                }
            }
        } catch (IOException | DirectoryIteratorException ignored) {
            // A start does not depend on it. A later one tries again.
        }
    }

    private static void deleteOldCopy(Path lock, UserPrincipal account) {
        try {
            if (!isOf(account, lock)) {
                return;
            }
            try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE)) {
                if (channel.tryLock() == null) {
                    return;
                }
                Path copy = copyOf(lock);
                if (Files.exists(copy, LinkOption.NOFOLLOW_LINKS) && isOf(account, copy)) {
                    deleteFolder(copy);
                }
                Files.delete(lock);
            }
        } catch (IOException | OverlappingFileLockException ignored) {
            // Another engine deletes it, too, or a later start will.
        }
    }

    private static boolean isOf(UserPrincipal account, Path file) throws IOException {
        return Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).equals(account);
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
