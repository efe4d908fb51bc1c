package org.leasehold.runtime;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A PostgreSQL that belongs to this process and keeps its data in a folder. */
final class EmbeddedDatabase implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedDatabase.class);

    private static final Duration ORPHAN_STOPS_WITHIN = Duration.ofSeconds(30);

    private static final String USER = "postgres";

    /** The line of the server's pid file that says where it listens. */
    private static final int PORT = 3;

    private final EmbeddedPostgres postgres;
    private final FileChannel lock;

    private EmbeddedDatabase(EmbeddedPostgres postgres, FileChannel lock) {
        this.postgres = postgres;
        this.lock = lock;
    }

    static EmbeddedDatabase start(Path folder, int connections) {
        FileChannel lock = lock(folder.toAbsolutePath());
        Path data = folder.toAbsolutePath().resolve("postgres");
        stopOrphan(data);
        try {
            return new EmbeddedDatabase(
                    EmbeddedPostgres.builder()
                            .setDataDirectory(data)
                            .setCleanDataDirectory(false)
                            // The library's defaults are for throw-away data, not for data worth
                            // keeping and several thousand small commits a second.
                            .setServerConfig("fsync", "on")
                            .setServerConfig("full_page_writes", "on")
                            .setServerConfig("synchronous_commit", "on")
                            .setServerConfig("max_connections", Integer.toString(connections))
                            .setServerConfig("shared_buffers", "128MB")
                            .setServerConfig("listen_addresses", "127.0.0.1")
                            .setPGStartupWait(Duration.ofSeconds(60))
                            // Spring closes it after everything that uses it.
                            .setRegisterShutdownHook(false)
                            .start(),
                    lock);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The embedded PostgreSQL in " + data + " does not start", e);
        }
    }

    /**
     * One engine at a time: the server of a living one is no orphan. The lock goes with the
     * process, however it ends.
     */
    private static FileChannel lock(Path folder) {
        try {
            Files.createDirectories(folder);
            FileChannel channel =
                    FileChannel.open(
                            folder.resolve("engine.lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            if (channel.tryLock() == null) {
                channel.close();
                throw inUse(folder, null);
            }
            return channel;
        } catch (OverlappingFileLockException e) {
            throw inUse(folder, e);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot lock the data folder " + folder, e);
        }
    }

    private static IllegalStateException inUse(Path folder, @Nullable Throwable cause) {
        return new IllegalStateException(
                "The data folder " + folder + " is in use by another engine", cause);
    }

    String url() {
        return url(postgres.getPort());
    }

    String user() {
        return USER;
    }

    private static String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    /** The server of an engine that runs on the folder, for whoever only looks; else empty. */
    static Optional<DatabaseAddress> running(Path folder) {
        Path data = folder.toAbsolutePath().resolve("postgres");
        return process(data)
                .map(
                        _ ->
                                new DatabaseAddress(
                                        url(Integer.parseInt(pidFile(data).get(PORT).strip())),
                                        USER,
                                        "",
                                        () -> {}));
    }

    /** A server whose engine was killed runs on, and guards its folder against a second one. */
    private static void stopOrphan(Path data) {
        process(data).ifPresent(EmbeddedDatabase::stop);
    }

    private static Optional<ProcessHandle> process(Path data) {
        List<String> pidFile = pidFile(data);
        if (pidFile.isEmpty()) {
            return Optional.empty();
        }
        try {
            long pid = Long.parseLong(pidFile.getFirst().strip());
            return ProcessHandle.of(pid).filter(p -> isPostgresOf(p, data));
        } catch (NumberFormatException _) {
            LOG.warn("{} names no process; PostgreSQL will look after it", data);
            return Optional.empty();
        }
    }

    /** What a server writes into its folder while it runs; empty when there is none. */
    private static List<String> pidFile(Path data) {
        Path file = data.resolve("postmaster.pid");
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The number in the file may long belong to another process. */
    private static boolean isPostgresOf(ProcessHandle process, Path data) {
        return process.info()
                .commandLine()
                .map(line -> line.contains("postgres") && line.contains(data.toString()))
                .orElse(false);
    }

    private static void stop(ProcessHandle orphan) {
        LOG.info("stopping the PostgreSQL that a killed engine left behind, pid={}", orphan.pid());
        orphan.destroy();
        try {
            orphan.onExit().get(ORPHAN_STOPS_WITHIN.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(
                    "A PostgreSQL that a killed engine left behind does not stop; end process "
                            + orphan.pid()
                            + " by hand",
                    e);
        }
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            postgres.close();
        }
    }
}
