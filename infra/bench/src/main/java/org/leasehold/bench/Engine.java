package org.leasehold.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
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
    private static final String HEAP = "-Xmx512m";

    private static final Duration STARTS_WITHIN = Duration.ofMinutes(3);

    private final Process process;
    private final Path folder;
    private final URI root;

    private Engine(Process process, Path folder, URI root) {
        this.process = process;
        this.folder = folder;
        this.root = root;
    }

    static Engine start(Settings settings, Path folder) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command(settings))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("product.log").toFile());
        builder.environment().put("LEASEHOLD_DATABASE_FOLDER", folder.resolve("data").toString());
        URI root = URI.create("http://127.0.0.1:" + settings.port());
        Engine engine = new Engine(builder.start(), folder, root);
        engine.awaitReadiness();
        return engine;
    }

    private static List<String> command(Settings settings) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(java());
        command.add(HEAP);
        if (settings.recording() != null) {
            command.add(
                    "-XX:StartFlightRecording=settings=profile,dumponexit=true,filename="
                            + settings.recording());
        }
        command.addAll(program(settings));
        command.add("--server.port=" + settings.port());
        command.add("--leasehold.plugins.simulator.hosts=" + settings.hosts());
        return command;
    }

    private static String java() {
        return ProcessHandle.current().info().command().orElse("java");
    }

    private static List<String> program(Settings settings) throws IOException {
        if (settings.classPathFile() == null) {
            return List.of("-jar", settings.jar().toString());
        }
        String classPath = Files.readString(settings.classPathFile()).strip();
        return List.of("-cp", classPath, "org.leasehold.runtime.Leasehold");
    }

    /** Has the operator's command verify the database of this engine, and returns what it says. */
    String verify(Settings settings) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(java(), HEAP));
        command.addAll(program(settings));
        command.add("verify");
        command.add("--leasehold.database.folder=" + folder.resolve("data"));
        Path said = folder.resolve("verify.txt");
        int status =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start()
                        .waitFor();
        if (status != 0) {
            throw new IllegalStateException(Files.readString(said));
        }
        return Files.readString(said);
    }

    Gateway gateway() throws IOException {
        return new Gateway(root, "admin", password());
    }

    /** On the very server that the engine writes to. */
    Database database() throws IOException {
        return new Database(Integer.parseInt(pidFile().get(3).strip()));
    }

    private List<String> pidFile() throws IOException {
        return Files.readAllLines(
                folder.resolve("data").resolve("postgres").resolve("postmaster.pid"));
    }

    /** What the operating system has charged the engine, its database and this program. */
    CpuTime cpuTime() throws IOException {
        long postmaster = Long.parseLong(pidFile().getFirst().strip());
        return new CpuTime(
                cpuTime(process.toHandle()),
                ProcessHandle.of(postmaster).stream()
                        .flatMap(ProcessHandle::descendants)
                        .mapToDouble(Engine::cpuTime)
                        .sum(),
                cpuTime(ProcessHandle.current()));
    }

    private static double cpuTime(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1e3;
    }

    /** In seconds. */
    record CpuTime(double engine, double database, double clients) {

        CpuTime since(CpuTime before) {
            return new CpuTime(
                    engine - before.engine, database - before.database, clients - before.clients);
        }
    }

    private String password() throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve("data").resolve("clouds.yaml"));
        int user = lines.indexOf("      username: admin");
        return lines.get(user + 1).strip().substring("password: ".length());
    }

    private void awaitReadiness() throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(STARTS_WITHIN);
        HttpRequest question =
                HttpRequest.newBuilder(root.resolve("/actuator/health/readiness")).build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            while (Instant.now().isBefore(deadline) && process.isAlive()) {
                if (isReady(http, question)) {
                    return;
                }
                process.waitFor(200, TimeUnit.MILLISECONDS);
            }
        }
        close();
        throw new IllegalStateException(
                "The product does not start:\n" + Files.readString(folder.resolve("product.log")));
    }

    private static boolean isReady(HttpClient http, HttpRequest question)
            throws InterruptedException {
        try {
            return http.send(question, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
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
