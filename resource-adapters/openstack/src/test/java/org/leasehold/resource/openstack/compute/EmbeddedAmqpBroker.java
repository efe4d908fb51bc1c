package org.leasehold.resource.openstack.compute;

import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.model.SystemConfig;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.Map;
import java.util.Objects;

/**
 * A substitute for RabbitMQ: another broker of its protocol, in memory. It starts and stops at one
 * address, and stores nothing.
 */
final class EmbeddedAmqpBroker implements AutoCloseable {

    private final int port;
    private SystemLauncher running = new SystemLauncher();

    EmbeddedAmqpBroker() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
    }

    URI url() {
        return url("secret");
    }

    URI url(String password) {
        return URI.create("amqp://nova:%s@127.0.0.1:%s/".formatted(password, port));
    }

    void start() throws Exception {
        running = new SystemLauncher();
        running.startup(
                Map.of(
                        SystemConfig.TYPE,
                        "Memory",
                        SystemConfig.INITIAL_CONFIGURATION_LOCATION,
                        Objects.requireNonNull(EmbeddedAmqpBroker.class.getResource("broker.json"))
                                .toString(),
                        SystemConfig.CONTEXT,
                        Map.of("broker.port", String.valueOf(port)),
                        SystemConfig.STARTUP_LOGGED_TO_SYSTEM_OUT,
                        "false"));
    }

    @Override
    public void close() {
        running.shutdown();
    }
}
