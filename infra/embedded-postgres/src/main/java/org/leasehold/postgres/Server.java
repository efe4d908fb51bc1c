package org.leasehold.postgres;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.regex.Pattern;

/** The server process of a cluster: starts, stops and finds it. */
final class Server {

    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    private static final String PID_FILE = "postmaster.pid";

    /** The longest start: a crashed database first reads its log, which may take minutes. */
    private static final int START_TIMEOUT_SECONDS = 600;

    private static final int FAST_STOP_TIMEOUT_SECONDS = 4;
    private static final int IMMEDIATE_STOP_TIMEOUT_SECONDS = 1;
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
    private static final int MAX_LAST_LINES = 20;

    private static final Pattern WARNING_PATTERN =
            Pattern.compile("PANIC:|FATAL:|terminated by signal");

    private final Path folder;
    private final Path dataDirectory;
    private final PostgresBinaries binaries;
    private final Deque<String> lastLines = new ArrayDeque<>();

    Server(Path folder, PostgresBinaries binaries) {
        this.folder = folder;
        this.dataDirectory = Cluster.dataDirectory(folder);
        this.binaries = binaries;
    }

    /** Returns the process that runs on a folder's files; empty if none does. */
    static Optional<ProcessHandle> find(Path folder) {
        Path data = Cluster.dataDirectory(folder);
        Path file = data.resolve(PID_FILE);
        try {
            long pid = Long.parseLong(Files.readAllLines(file).getFirst().strip());
            return ProcessHandle.of(pid).filter(process -> runsOn(process, data));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NumberFormatException | NoSuchElementException _) {
            LOG.warn("{} names no process; PostgreSQL will check it", file);
            return Optional.empty();
        }
    }

    /** Checks the arguments: the number in the file may since belong to another process. */
    private static boolean runsOn(ProcessHandle process, Path data) {
        return isRunning(process)
                && process.info()
                        .arguments()
                        .map(words -> Arrays.asList(words).contains(data.toString()))
                        .orElse(false);
    }

    /** Returns true if a process runs. An ended process that is not yet reaped has no command. */
    static boolean isRunning(ProcessHandle process) {
        return process.isAlive() && process.info().commandLine().isPresent();
    }

    /**
     * Starts the server in its own session. An interrupt from the terminal then reaches only the
     * engine, which stops the server.
     *
     * @return the process, which accepts connections
     * @throws IOException with the server's last lines, if it does not start
     */
    ProcessHandle start(int port, Map<String, String> settings) throws IOException {
        if (find(folder).isEmpty()) {
            // PostgreSQL would take any process with that number for a server, even one that has
            // ended and was not reaped. Its shared memory still prevents a second server.
            Files.deleteIfExists(dataDirectory.resolve(PID_FILE));
        }
        List<String> options = new ArrayList<>(List.of("-p", Integer.toString(port)));
        settings.forEach((name, value) -> options.addAll(List.of("-c", name + "=" + value)));
        Process start =
                PostgresProgram.builder(
                                controlCommand(
                                        "start",
                                        START_TIMEOUT_SECONDS,
                                        "-o",
                                        String.join(" ", options)))
                        .start();
        start.getOutputStream().close();
        Thread.ofPlatform().daemon().name("postgres-log").start(() -> log(start));
        if (await(start) != 0) {
            throw new IOException("PostgreSQL does not start:\n" + lastLines());
        }
        return find(folder)
                .orElseThrow(() -> new IOException("PostgreSQL has ended:\n" + lastLines()));
    }

    /** Returns true if the programs still exist. */
    boolean isInstalled() {
        return Files.isExecutable(binaries.program("pg_ctl"));
    }

    /** Stops the server; kills it if it does not end in seconds. Its files survive that. */
    void stop() {
        find(folder).ifPresent(this::stop);
    }

    private void stop(ProcessHandle server) {
        if (!tryStop("fast", FAST_STOP_TIMEOUT_SECONDS)
                && !tryStop("immediate", IMMEDIATE_STOP_TIMEOUT_SECONDS)) {
            LOG.warn("PostgreSQL does not stop and is killed, pid={}", server.pid());
            server.destroyForcibly();
            awaitEnd(server);
        }
    }

    /** Waits for the end. Unlike the JVM, it does not wait until the process is reaped. */
    private static void awaitEnd(ProcessHandle server) {
        long deadline = System.nanoTime() + KILL_TIMEOUT.toNanos();
        while (isRunning(server)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "PostgreSQL does not end; end process " + server.pid() + " by hand");
            }
            try {
                Thread.sleep(POLL_INTERVAL);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private boolean tryStop(String mode, int seconds) {
        try {
            Process stop =
                    PostgresProgram.builder(controlCommand("stop", seconds, "-m", mode))
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return await(stop) == 0;
        } catch (IOException e) {
            LOG.warn("pg_ctl cannot be run", e);
            return false;
        }
    }

    private List<String> controlCommand(String action, int seconds, String... options) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                binaries.program("pg_ctl").toString(),
                                action,
                                "-D",
                                dataDirectory.toString(),
                                "-w",
                                "-t",
                                Integer.toString(seconds)));
        command.addAll(List.of(options));
        return command;
    }

    private static int await(Process process) throws IOException {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Reads all output: a server whose output is not read would block. */
    private void log(Process process) {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                addLastLine(line);
                if (WARNING_PATTERN.matcher(line).find()) {
                    LOG.warn("PostgreSQL says: {}", line);
                } else {
                    LOG.debug("PostgreSQL says: {}", line);
                }
            }
        } catch (IOException e) {
            LOG.debug("PostgreSQL's output ended", e);
        }
    }

    private synchronized void addLastLine(String line) {
        lastLines.addLast(line);
        if (lastLines.size() > MAX_LAST_LINES) {
            lastLines.removeFirst();
        }
    }

    private synchronized String lastLines() {
        return String.join("\n", lastLines);
    }
}
