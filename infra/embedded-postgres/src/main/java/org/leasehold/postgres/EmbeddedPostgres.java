package org.leasehold.postgres;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A running PostgreSQL that belongs to this process and keeps its data in a folder. If the server
 * ends by itself, it is started again on the same port.
 */
public final class EmbeddedPostgres implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgres.class);

    private static final Map<String, String> SETTINGS =
            Map.of(
                    "listen_addresses", "127.0.0.1",
                    "unix_socket_directories", "''",
                    "timezone", "UTC",
                    "fsync", "on",
                    "full_page_writes", "on",
                    "synchronous_commit", "on",
                    "shared_buffers", "128MB");

    /** Another process may take the port between its choice and its use. */
    private static final int PORTS_TRIED = 3;

    private static final Duration LOOK_EVERY = Duration.ofMillis(200);

    /** Backends of a killed server finish their statement first, which blocks the next server. */
    private static final Duration RESTARTS_WITHIN = Duration.ofSeconds(30);

    private final DataFolder folder;
    private final Server server;
    private final Map<String, String> settings;
    private final DatabaseService service;
    private final Runnable onLoss;

    private volatile boolean closed;

    private EmbeddedPostgres(
            DataFolder folder,
            Server server,
            Map<String, String> settings,
            DatabaseService service,
            Runnable onLoss) {
        this.folder = folder;
        this.server = server;
        this.settings = settings;
        this.service = service;
        this.onLoss = onLoss;
    }

    /**
     * Starts the server. A server that an engine left behind when it was killed is stopped first.
     *
     * @param folder is closed together with the server, or if it does not start
     * @param connections how many connections the server accepts
     * @param onLoss is run once if the server has ended and does not start again
     */
    public static EmbeddedPostgres start(DataFolder folder, int connections, Runnable onLoss) {
        try {
            Binaries binaries = Binaries.in(folder.path());
            Server server = new Server(folder.path(), binaries);
            server.stop();
            String password = new Cluster(folder.path(), binaries).prepare();
            Map<String, String> settings = new HashMap<>(SETTINGS);
            settings.put("max_connections", Integer.toString(connections));
            for (int attempt = 1; ; attempt++) {
                int port = freePort();
                try {
                    ProcessHandle process = server.start(port, settings);
                    DatabaseService service =
                            new DatabaseService(port, DatabaseService.USER, password);
                    service.write(folder.path());
                    EmbeddedPostgres started =
                            new EmbeddedPostgres(folder, server, settings, service, onLoss);
                    Thread.ofPlatform()
                            .daemon()
                            .name("postgres-watch")
                            .start(() -> started.watch(process));
                    return started;
                } catch (IOException e) {
                    if (attempt == PORTS_TRIED) {
                        throw e;
                    }
                }
            }
        } catch (IOException e) {
            close(folder);
            throw new UncheckedIOException(
                    "The embedded PostgreSQL in " + folder.path() + " does not start", e);
        }
    }

    private static void close(DataFolder folder) {
        try {
            folder.close();
        } catch (IOException e) {
            LOG.warn("the lock of {} cannot be released", folder.path(), e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** The parameters of the server that another process runs on a folder; empty if none runs. */
    public static Optional<DatabaseService> running(Path folder) {
        Path path = folder.toAbsolutePath().normalize();
        try {
            return Server.find(path).isPresent() ? DatabaseService.read(path) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How to connect. It stays the same when the server is started again. */
    public DatabaseService service() {
        return service;
    }

    private void watch(ProcessHandle process) {
        try {
            ProcessHandle watched = process;
            while (!closed) {
                if (!Server.lives(watched)) {
                    watched = restart(watched.pid());
                }
                Thread.sleep(LOOK_EVERY);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.error("PostgreSQL has ended and does not start again", e);
            onLoss.run();
        }
    }

    private ProcessHandle restart(long pid) throws InterruptedException, IOException {
        long deadline = System.nanoTime() + RESTARTS_WITHIN.toNanos();
        while (true) {
            synchronized (this) {
                if (closed) {
                    throw new InterruptedException("closed");
                }
                LOG.error("PostgreSQL has ended and is started again, pid={}", pid);
                try {
                    return server.start(service.port(), settings);
                } catch (IOException e) {
                    if (!server.isInstalled() || System.nanoTime() > deadline) {
                        throw e;
                    }
                }
            }
            Thread.sleep(LOOK_EVERY);
        }
    }

    /** Kills the server of a folder if one runs, for a process that has no time to stop it. */
    public static void kill(Path folder) {
        Server.find(folder.toAbsolutePath().normalize()).ifPresent(ProcessHandle::destroyForcibly);
    }

    @Override
    public void close() throws IOException {
        closed = true;
        try (folder) {
            // A start that is under way ends first.
            synchronized (this) {
                server.stop();
            }
        }
    }
}
