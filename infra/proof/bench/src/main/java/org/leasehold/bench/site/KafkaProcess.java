package org.leasehold.bench.site;

import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A real Kafka of one node, in its own process, which ends with the process that started it. */
public record KafkaProcess(Process process, String address) implements AutoCloseable {

    public static final String EVENTS = "leasehold.events";
    static final String LEASES = "leasehold.leases";
    static final String USAGE = "leasehold.usage";
    public static final String BASELINE = "bench.baseline";

    /** The recommended number of partitions. */
    public static final int PARTITIONS = 12;

    private static final int POLL_INTERVAL_MILLIS = 20;
    private static final int STOP_TIMEOUT_SECONDS = 10;

    public static KafkaProcess start(Path folder) throws IOException, InterruptedException {
        Path address = Files.createDirectories(folder).resolve("broker");
        Files.deleteIfExists(address);
        Path jar = Path.of(Engine.codeLocation(Engine.class));
        List<String> command =
                List.of(
                        Engine.tool("java"),
                        "-Xmx1g",
                        "-cp",
                        jar + ":" + jar.resolveSibling("broker").resolve("*"),
                        KafkaProcess.class.getName(),
                        address.toString());
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("broker.log").toFile())
                        .start();
        while (Files.notExists(address)) {
            if (!process.isAlive()) {
                throw new IllegalStateException(
                        "Kafka does not start:\n" + Files.readString(folder.resolve("broker.log")));
            }
            Thread.sleep(POLL_INTERVAL_MILLIS);
        }
        return new KafkaProcess(process, Files.readString(address));
    }

    /** Runs the broker, and writes its address to a file. */
    public static void main(String[] words) throws IOException {
        EmbeddedKafkaKraftBroker kafka =
                new EmbeddedKafkaKraftBroker(1, PARTITIONS, EVENTS, LEASES, USAGE, BASELINE);
        kafka.brokerProperty("transaction.state.log.replication.factor", "1");
        kafka.brokerProperty("transaction.state.log.min.isr", "1");
        kafka.afterPropertiesSet();
        Path address = Path.of(words[0]);
        Path written = address.resolveSibling("broker.written");
        Files.writeString(written, kafka.getBrokersAsString());
        Files.move(written, address, StandardCopyOption.ATOMIC_MOVE);
        // Runs until the parent process closes the stream.
        while (System.in.read() >= 0) {}
        kafka.destroy();
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(STOP_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }
}
