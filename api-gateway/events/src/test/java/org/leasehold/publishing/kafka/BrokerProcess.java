package org.leasehold.publishing.kafka;

import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;

import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.leasehold.publishing.ChildProcess;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/** A broker in its own process, which can be killed and restarted on its stored data. */
final class BrokerProcess implements AutoCloseable {

    private static final String CONTROLLER = "CONTROLLER";

    private final Path properties;
    private final int port = freePort();
    private final int controllerPort = freePort();
    private Process process;

    BrokerProcess(Path folder) throws Exception {
        properties = folder.resolve("server.properties");
        Path log = folder.resolve("log");
        new Formatter()
                .setPrintStream(System.out)
                .setNodeId(1)
                .setClusterId(Uuid.randomUuid().toString())
                .addDirectory(log.toString())
                .setMetadataLogDirectory(log.toString())
                .setControllerListenerName(CONTROLLER)
                .run();
        Files.write(
                properties,
                List.of(
                        "process.roles=broker,controller",
                        "node.id=1",
                        "controller.quorum.voters=1@127.0.0.1:" + controllerPort,
                        "controller.listener.names=" + CONTROLLER,
                        "listeners=PLAINTEXT://%s,CONTROLLER://127.0.0.1:%s"
                                .formatted(address(), controllerPort),
                        "log.dirs=" + log,
                        "auto.create.topics.enable=false"));
        process = start();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    private Process start() throws IOException {
        return ChildProcess.start(BrokerProcess.class, properties.toString());
    }

    /** Kills the process, without time to write or send anything. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    void startAgain() throws IOException {
        process = start();
    }

    /** Serves until it is killed. */
    public static void main(String[] words) throws IOException {
        Properties properties = new Properties();
        try (var file = Files.newBufferedReader(Path.of(words[0]))) {
            properties.load(file);
        }
        KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(properties), Time.SYSTEM);
        server.startup();
        server.awaitShutdown();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
