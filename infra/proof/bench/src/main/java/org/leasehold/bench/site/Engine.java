package org.leasehold.bench.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.leasehold.bench.inprocess.InProcessClient;
import org.leasehold.bench.inprocess.InProcessRequest;
import org.leasehold.bench.inprocess.InProcessServer;
import org.leasehold.bench.load.AdminHttpClient;
import org.leasehold.bench.load.LoadGenerator;
import org.leasehold.bench.measurement.Settings;
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

/** The product in its own process, with an embedded database in its own folder. */
public final class Engine implements AutoCloseable {

    /** The heap, as large as the documentation requires. */
    static final int HEAP_MIB = 512;

    /** The server's default number of connections, enough for all pools of the engine. */
    private static final int ENGINE_CONNECTIONS = 100;

    private static final Duration START_TIMEOUT = Duration.ofMinutes(3);
    private static final int POLL_INTERVAL_MILLIS = 20;

    private static final Path PID_FILE = Path.of("data", "postgres", "postmaster.pid");

    private final Process process;
    private final Path folder;
    private final InetSocketAddress address;
    private final @Nullable InProcessClient inProcessClient;

    private Engine(
            Process process,
            Path folder,
            InetSocketAddress address,
            @Nullable InProcessClient errands) {
        this.process = process;
        this.folder = folder;
        this.address = address;
        this.inProcessClient = errands;
    }

    /**
     * Starts an engine with this program on its class path, to run in-process requests: see {@link
     * InProcessServer}.
     *
     * @param options additional settings, as operators would give them
     */
    static Engine start(Settings settings, Path folder, int port, int hosts, List<String> options)
            throws IOException, InterruptedException {
        InProcessClient errands =
                new InProcessClient(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        List<String> command = java();
        command.add("-D" + InProcessServer.PORT_PROPERTY + "=" + errands.port());
        if (settings.classPathFile() == null && settings.installed() == null) {
            command.add(
                    "-Dloader.path="
                            + codeLocation(Engine.class)
                            + ","
                            + codeLocation(Histogram.class));
            command.addAll(List.of("-cp", settings.jar().toString()));
            command.add("org.springframework.boot.loader.launch.PropertiesLauncher");
        } else {
            command.addAll(
                    classPathArguments(
                            settings, codeLocation(Engine.class), codeLocation(Histogram.class)));
        }
        command.add("--leasehold.database.server-connections=" + serverConnections(settings));
        command.addAll(options);
        return start(command, folder, port, hosts, errands);
    }

    /**
     * Returns the number of connections. The baseline has one for each client, besides those of the
     * engine; this program needs a few more.
     */
    private static int serverConnections(Settings settings) {
        return ENGINE_CONNECTIONS + settings.maxClients();
    }

    /** Starts an engine as its users do, with options for the JVM. */
    public static Engine startAlone(List<String> options, Path folder, int port, int hosts)
            throws IOException, InterruptedException {
        List<String> command = java();
        command.addAll(options);
        return start(command, folder, port, hosts, null);
    }

    private static List<String> engineCommand(Settings settings) throws IOException {
        List<String> command = java();
        if (settings.classPathFile() == null && settings.installed() == null) {
            command.addAll(List.of("-jar", settings.jar().toString()));
        } else {
            command.addAll(classPathArguments(settings));
        }
        return command;
    }

    /** Returns the engine's class path, followed by other entries. */
    private static List<String> classPathArguments(Settings settings, String... others)
            throws IOException {
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

    /** Runs the verify command on the database of this engine, and returns its output. */
    public String verify(Settings settings) throws IOException, InterruptedException {
        List<String> command = engineCommand(settings);
        command.addAll(List.of("verify", "--leasehold.database.folder=" + folder.resolve("data")));
        Process verifying = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(verifying.getInputStream().readAllBytes(), UTF_8);
        if (verifying.waitFor() != 0) {
            throw new IllegalStateException(said);
        }
        return said;
    }

    private static List<String> java() {
        // Like its service: the collector would constantly mark a growing heap.
        return new ArrayList<>(
                List.of(
                        tool("java"),
                        "-Xms" + HEAP_MIB + "m",
                        "-Xmx" + HEAP_MIB + "m",
                        "-XX:+ExitOnOutOfMemoryError"));
    }

    /** Starts an engine, and returns when it is ready. */
    private static Engine start(
            List<String> command,
            Path folder,
            int port,
            int hosts,
            @Nullable InProcessClient errands)
            throws IOException, InterruptedException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        if (isReady(new AdminHttpClient(address))) {
            throw new IllegalStateException("Another program already listens at " + address);
        }
        command.add("--server.port=" + port);
        command.add("--leasehold.probes.port=0");
        // All clients log in as one user, and represent many.
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

    static String codeLocation(Class<?> type) {
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

    public InetSocketAddress address() {
        return address;
    }

    AdminHttpClient gateway() throws IOException {
        return new AdminHttpClient(address, "admin", password());
    }

    /** Returns the database to which the engine writes. */
    public Database database() throws IOException {
        return new Database(EmbeddedPostgres.findRunning(folder.resolve("data")).orElseThrow());
    }

    private long postmaster() throws IOException {
        return Long.parseLong(pidFile().getFirst().strip());
    }

    private List<String> pidFile() throws IOException {
        return Files.readAllLines(folder.resolve(PID_FILE));
    }

    /** Runs a request inside the engine. */
    public LoadGenerator.Outcome runInProcess(InProcessRequest errand) throws IOException {
        return Objects.requireNonNull(inProcessClient).run(errand);
    }

    public CpuTime cpuTime() throws IOException {
        return CpuTime.of(process.toHandle(), ProcessHandle.of(postmaster()).orElseThrow());
    }

    long pid() {
        return process.pid();
    }

    /** Runs a diagnostic command of the JVM. */
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
        Instant deadline = Instant.now().plus(START_TIMEOUT);
        AdminHttpClient anybody = new AdminHttpClient(address);
        while (Instant.now().isBefore(deadline) && process.isAlive()) {
            if (isReady(anybody)) {
                return;
            }
            process.waitFor(POLL_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
        }
        close();
        throw new IllegalStateException(
                "The product does not start:\n" + Files.readString(folder.resolve("product.log")));
    }

    private static boolean isReady(AdminHttpClient anybody) {
        try {
            return anybody.get("/actuator/health/readiness").isSuccess();
        } catch (IOException _) {
            return false;
        }
    }

    /** Kills the engine but leaves its database running, so that you can fill it. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Stops the engine, which stops its database; or the database, if the engine has ended. */
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
