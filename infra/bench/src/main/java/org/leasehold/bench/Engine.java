package org.leasehold.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.HdrHistogram.Histogram;

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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The product in a process of its own, with an embedded database in a folder of its own. */
final class Engine implements AutoCloseable {

    /** As much as the product is said to need. */
    static final int HEAP_MIB = 512;

    private static final Duration STARTS_WITHIN = Duration.ofMinutes(3);
    private static final int LOOK_EVERY_MILLIS = 20;

    private final Process process;
    private final Path folder;
    private final InetSocketAddress address;
    private final Errands errands;

    private Engine(Process process, Path folder, InetSocketAddress address, Errands errands) {
        this.process = process;
        this.folder = folder;
        this.address = address;
        this.errands = errands;
    }

    /** Returns when it is ready. */
    static Engine start(Settings settings, Path folder, int port, int hosts)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Errands errands = new Errands(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        ProcessBuilder builder =
                new ProcessBuilder(command(settings, errands.port()))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(
                                ProcessBuilder.Redirect.appendTo(
                                        folder.resolve("product.log").toFile()));
        builder.command().add("--server.port=" + port);
        builder.command().add("--leasehold.plugins.simulator.hosts=" + hosts);
        builder.environment().put("LEASEHOLD_DATABASE_FOLDER", folder.resolve("data").toString());
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        if (isReady(new Gateway(address))) {
            throw new IllegalStateException("Somebody else already answers at " + address);
        }
        Engine engine = new Engine(builder.start(), folder, address, errands);
        engine.awaitReadiness();
        return engine;
    }

    /** The product as it is, and this program on its class path: see {@link InProcess}. */
    private static List<String> command(Settings settings, int errands) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(tool("java"));
        command.add("-Xmx" + HEAP_MIB + "m");
        command.add("-D" + InProcess.PORT + "=" + errands);
        if (settings.classPathFile() == null) {
            command.add("-Dloader.path=" + codeOf(Bench.class) + "," + codeOf(Histogram.class));
            command.addAll(List.of("-cp", settings.jar().toString()));
            command.add("org.springframework.boot.loader.launch.PropertiesLauncher");
        } else {
            List<String> classPath =
                    List.of(
                            Files.readString(settings.classPathFile()).strip(),
                            codeOf(Bench.class),
                            codeOf(Histogram.class));
            command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath)));
            command.add("org.leasehold.runtime.Leasehold");
        }
        return command;
    }

    private static String codeOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    Gateway gateway() throws IOException {
        return new Gateway(address, "admin", password());
    }

    /** On the very server that the engine writes to. */
    Database database() throws IOException {
        return new Database(Integer.parseInt(pidFile().get(3).strip()));
    }

    private List<String> pidFile() throws IOException {
        return Files.readAllLines(
                folder.resolve("data").resolve("postgres").resolve("postmaster.pid"));
    }

    /** Does something inside the engine. */
    Load.Outcome run(Errand errand) throws IOException {
        return errands.run(errand);
    }

    CpuTime cpuTime() throws IOException {
        long postmaster = Long.parseLong(pidFile().getFirst().strip());
        return CpuTime.of(process.toHandle(), ProcessHandle.of(postmaster).orElseThrow());
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

    /** Asks it to stop, so that it stops its database, too. */
    @Override
    public void close() {
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
