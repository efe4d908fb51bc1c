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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A running PostgreSQL that belongs to this process and stores its data in a folder. If the server
 * ends by itself, it is restarted on the same port.
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

    /** The number of attempts: another process may take a port between its choice and its use. */
    private static final int MAX_PORT_ATTEMPTS = 3;

    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    /** The longest time to restart: backends of a killed server first finish their statement. */
    private static final Duration RESTART_TIMEOUT = Duration.ofSeconds(30);

    /** The most restarts in the counted time: a server that ends more often stays down. */
    private static final int MAX_RESTARTS = 20;

    private static final Duration RESTART_COUNT_PERIOD = Duration.ofMinutes(1);

    private final Deque<Long> restarts = new ArrayDeque<>();
    private final DataFolder folder;
    private final Server server;
    private final Map<String, String> settings;
    private final ConnectionParameters connectionParameters;
    private final Runnable onLoss;

    private volatile boolean closed;

    private EmbeddedPostgres(
            DataFolder folder,
            Server server,
            Map<String, String> settings,
            ConnectionParameters service,
            Runnable onLoss) {
        this.folder = folder;
        this.server = server;
        this.settings = settings;
        this.connectionParameters = service;
        this.onLoss = onLoss;
    }

    /**
     * Starts the server. A server that a killed engine left behind is stopped first.
     *
     * @param folder the data folder; closed together with the server, or if the start fails
     * @param connections the most connections that the server accepts
     * @param onLoss runs once if the server has ended and does not restart
     */
    public static EmbeddedPostgres start(DataFolder folder, int connections, Runnable onLoss) {
        try {
            PostgresBinaries binaries = PostgresBinaries.install(folder.path());
            Server server = new Server(folder.path(), binaries);
            server.stop();
            String password = new Cluster(folder.path(), binaries).prepare();
            Map<String, String> settings = new HashMap<>(SETTINGS);
            settings.put("max_connections", Integer.toString(connections));
            return start(folder, server, password, settings, onLoss);
        } catch (IOException e) {
            close(folder);
            throw new DataFolderException(
                    "The embedded PostgreSQL in "
                            + folder.path()
                            + " does not start: "
                            + e.getMessage(),
                    e);
        } catch (RuntimeException e) {
            close(folder);
            throw e;
        }
    }

    private static EmbeddedPostgres start(
            DataFolder folder,
            Server server,
            String password,
            Map<String, String> settings,
            Runnable onLoss)
            throws IOException {
        try {
            int port = freePort();
            ProcessHandle process = null;
            for (int attempt = 1; process == null; attempt++) {
                try {
                    process = server.start(port, settings);
                } catch (IOException e) {
                    if (attempt == MAX_PORT_ATTEMPTS || Thread.currentThread().isInterrupted()) {
                        throw e;
                    }
                    port = freePort();
                }
            }
            ConnectionParameters service =
                    new ConnectionParameters(port, ConnectionParameters.USER, password);
            service.write(folder.path());
            EmbeddedPostgres started =
                    new EmbeddedPostgres(folder, server, settings, service, onLoss);
            ProcessHandle watched = process;
            Thread.ofPlatform()
                    .daemon()
                    .name("postgres-watch")
                    .start(() -> started.monitor(watched));
            return started;
        } catch (IOException | RuntimeException e) {
            stop(server);
            throw e;
        }
    }

    /** Stops the server, even if the start was interrupted. */
    private static void stop(Server server) {
        boolean interrupted = Thread.interrupted();
        server.stop();
        if (interrupted) {
            Thread.currentThread().interrupt();
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

    /** Returns the parameters of another process's server on a folder; empty if none runs. */
    public static Optional<ConnectionParameters> findRunning(Path folder) {
        try {
            Path path = DataFolder.resolveRealPath(folder);
            return Server.find(path).isPresent()
                    ? ConnectionParameters.read(path)
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the connection parameters. They stay the same after a restart of the server. */
    public ConnectionParameters connectionParameters() {
        return connectionParameters;
    }

    private void monitor(ProcessHandle process) {
        try {
            ProcessHandle watched = process;
            while (!closed) {
                if (!Server.isRunning(watched)) {
                    watched = restart(watched.pid());
                }
                Thread.sleep(POLL_INTERVAL);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            LOG.error("PostgreSQL has ended and does not start again", e);
            onLoss.run();
        }
    }

    private ProcessHandle restart(long pid) throws InterruptedException, IOException {
        LOG.error("PostgreSQL has ended and is started again, pid={}", pid);
        long now = System.nanoTime();
        restarts.addLast(now);
        if (restarts.size() > MAX_RESTARTS
                && now - restarts.removeFirst() < RESTART_COUNT_PERIOD.toNanos()) {
            throw new IOException("PostgreSQL ends again and again");
        }
        while (true) {
            synchronized (this) {
                if (closed) {
                    throw new InterruptedException("closed");
                }
                try {
                    ProcessHandle process = server.start(connectionParameters.port(), settings);
                    LOG.info("PostgreSQL runs again, pid={}", process.pid());
                    return process;
                } catch (IOException e) {
                    if (!server.isInstalled()
                            || System.nanoTime() - now > RESTART_TIMEOUT.toNanos()) {
                        throw e;
                    }
                }
            }
            Thread.sleep(POLL_INTERVAL);
        }
    }

    /** Kills the server of a folder if one runs, for a process that has no time to stop it. */
    public static void kill(Path folder) {
        try {
            Server.find(DataFolder.resolveRealPath(folder))
                    .ifPresent(ProcessHandle::destroyForcibly);
        } catch (IOException e) {
            LOG.warn("no server is found in {}", folder, e);
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        try (folder) {
            // A pending start ends first.
            synchronized (this) {
                server.stop();
            }
        }
    }
}
