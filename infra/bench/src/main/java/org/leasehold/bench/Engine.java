package org.leasehold.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.leasehold.postgres.EmbeddedPostgres;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The product in a process of its own, with an embedded database in a folder of its own. */
final class Engine implements AutoCloseable {

    /** As much as the product is said to need. */
    static final int HEAP_MIB = 512;

    /** As many as its server accepts if nobody says how many: all of its pools fit. */
    private static final int CONNECTIONS_OF_ENGINE = 100;

    private static final Duration STARTS_WITHIN = Duration.ofMinutes(3);
    private static final int LOOK_EVERY_MILLIS = 20;

    private static final Path PID_FILE = Path.of("data", "postgres", "postmaster.pid");

    private final Process process;
    private final Path folder;
    private final InetSocketAddress address;
    private final @Nullable Errands errands;

    private Engine(
            Process process, Path folder, InetSocketAddress address, @Nullable Errands errands) {
        this.process = process;
        this.folder = folder;
        this.address = address;
        this.errands = errands;
    }

    /**
     * With this program on its class path, to run errands: see {@link InProcess}.
     *
     * @param told what else it is told, as operators would
     */
    static Engine start(Settings settings, Path folder, int port, int hosts, List<String> told)
            throws IOException, InterruptedException {
        Errands errands = new Errands(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        List<String> command = java();
        command.add("-D" + InProcess.PORT + "=" + errands.port());
        if (settings.classPathFile() == null && settings.installed() == null) {
            command.add("-Dloader.path=" + codeOf(Bench.class) + "," + codeOf(Histogram.class));
            command.addAll(List.of("-cp", settings.jar().toString()));
            command.add("org.springframework.boot.loader.launch.PropertiesLauncher");
        } else {
            command.addAll(classes(settings, codeOf(Bench.class), codeOf(Histogram.class)));
        }
        command.add("--leasehold.database.server-connections=" + serverConnections(settings));
        command.addAll(told);
        return start(command, folder, port, hosts, errands);
    }

    /**
     * The baseline has one for each client, beside those that the engine keeps open; this program
     * looks at the database through a few more.
     */
    private static int serverConnections(Settings settings) {
        return CONNECTIONS_OF_ENGINE + settings.mostClients();
    }

    /** As its users do, with what they tell the JVM. */
    static Engine startAlone(List<String> told, Path folder, int port, int hosts)
            throws IOException, InterruptedException {
        List<String> command = java();
        command.addAll(told);
        return start(command, folder, port, hosts, null);
    }

    private static List<String> program(Settings settings) throws IOException {
        List<String> command = java();
        if (settings.classPathFile() == null && settings.installed() == null) {
            command.addAll(List.of("-jar", settings.jar().toString()));
        } else {
            command.addAll(classes(settings));
        }
        return command;
    }

    /** The engine's classes, and others after them. */
    private static List<String> classes(Settings settings, String... others) throws IOException {
        List<String> command = new ArrayList<>();
        List<String> classPath = new ArrayList<>();
        if (settings.installed() == null) {
            classPath.add(
                    Files.readString(Objects.requireNonNull(settings.classPathFile())).strip());
        } else {
            command.add("-XX:AOTCache=" + settings.installed().resolve("leasehold.aot"));
            command.add("-Xlog:aot*=error");
            classPath.add(settings.installed().resolve("leasehold.jar").toString());
        }
        classPath.addAll(List.of(others));
        command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath)));
        command.add("org.leasehold.runtime.Leasehold");
        return command;
    }

    /** Has the operator's command verify the database of this engine, and returns what it says. */
    String verify(Settings settings) throws IOException, InterruptedException {
        List<String> command = program(settings);
        command.addAll(List.of("verify", "--leasehold.database.folder=" + folder.resolve("data")));
        Process verifying = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(verifying.getInputStream().readAllBytes(), UTF_8);
        if (verifying.waitFor() != 0) {
            throw new IllegalStateException(said);
        }
        return said;
    }

    private static List<String> java() {
        // As its service does: a heap that grows is marked all the time.
        return new ArrayList<>(
                List.of(
                        tool("java"),
                        "-Xms" + HEAP_MIB + "m",
                        "-Xmx" + HEAP_MIB + "m",
                        "-XX:+ExitOnOutOfMemoryError"));
    }

    /** Returns when it is ready. */
    private static Engine start(
            List<String> command, Path folder, int port, int hosts, @Nullable Errands errands)
            throws IOException, InterruptedException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        if (isReady(new Gateway(address))) {
            throw new IllegalStateException("Somebody else already answers at " + address);
        }
        command.add("--server.port=" + port);
        command.add("--leasehold.probes.port=0");
        // All clients log in as one user, and stand for many.
        command.add("--leasehold.limits.requests.per-second=0");
        command.add("--leasehold.limits.requests.at-once=1000");
        command.add("--leasehold.limits.requests.all-at-once=1000");
        command.add("--leasehold.lease.most-per-project=0");
        command.add("--leasehold.plugins.simulator.hosts=" + hosts);
        Path log = Files.createDirectories(folder).resolve("product.log");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("LEASEHOLD_DATABASE_FOLDER", folder.resolve("data").toString());
        Engine engine = new Engine(builder.start(), folder, address, errands);
        engine.awaitReadiness();
        return engine;
    }

    static String codeOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    static String tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    Gateway gateway() throws IOException {
        return new Gateway(address, "admin", password());
    }

    /** On the very server that the engine writes to. */
    Database database() throws IOException {
        return new Database(EmbeddedPostgres.running(folder.resolve("data")).orElseThrow());
    }

    private long postmaster() throws IOException {
        return Long.parseLong(pidFile().getFirst().strip());
    }

    private List<String> pidFile() throws IOException {
        return Files.readAllLines(folder.resolve(PID_FILE));
    }

    /** Does something inside the engine. */
    Load.Outcome run(Errand errand) throws IOException {
        return Objects.requireNonNull(errands).run(errand);
    }

    CpuTime cpuTime() throws IOException {
        return CpuTime.of(process.toHandle(), ProcessHandle.of(postmaster()).orElseThrow());
    }

    long pid() {
        return process.pid();
    }

    /** Asks the JVM's diagnostic commands. */
    String jcmd(String... command) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(tool("jcmd"), Long.toString(pid())));
        line.addAll(List.of(command));
        Process asked = new ProcessBuilder(line).redirectErrorStream(true).start();
        String answer = new String(asked.getInputStream().readAllBytes(), UTF_8);
        if (asked.waitFor() != 0) {
            throw new IOException(answer);
        }
        return answer;
    }

    private String password() throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve("data").resolve("clouds.yaml"));
        int user = lines.indexOf("      username: admin");
        return lines.get(user + 1).strip().substring("password: ".length());
    }

    private void awaitReadiness() throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(STARTS_WITHIN);
        Gateway anybody = new Gateway(address);
        while (Instant.now().isBefore(deadline) && process.isAlive()) {
            if (isReady(anybody)) {
                return;
            }
            process.waitFor(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
        }
        close();
        throw new IllegalStateException(
                "The product does not start:\n" + Files.readString(folder.resolve("product.log")));
    }

    private static boolean isReady(Gateway anybody) {
        try {
            return anybody.get("/actuator/health/readiness").isGood();
        } catch (IOException _) {
            return false;
        }
    }

    /** Leaves its database running, without an engine: so it can be filled. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Asks it to stop, so that it stops its database; or stops that, if nobody is left to ask. */
    @Override
    public void close() throws IOException {
        stop(process.toHandle());
        if (Files.exists(folder.resolve(PID_FILE))) {
            ProcessHandle.of(postmaster()).ifPresent(Engine::stop);
        }
    }

    private static void stop(ProcessHandle process) {
        process.destroy();
        try {
            process.onExit().get(60, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        } catch (ExecutionException | TimeoutException _) {
            process.destroyForcibly();
        }
    }
}
