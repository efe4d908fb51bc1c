package org.leasehold.publishing.notification;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;

import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.model.SystemConfig;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A substitute for RabbitMQ: another broker of its protocol, in memory. It starts and stops at one
 * address, and stores nothing.
 */
final class RestartableAmqpBroker implements AutoCloseable {

    static final String EXCHANGE = "openstack";
    static final String QUEUE = "notifications.info";

    private final int port;
    private SystemLauncher running = new SystemLauncher();

    RestartableAmqpBroker() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
    }

    NotificationSettings settings() {
        return new NotificationSettings(
                "127.0.0.1:" + port,
                "leasehold",
                "secret",
                "/",
                false,
                EXCHANGE,
                "notifications",
                "blazar.lease",
                true);
    }

    void start() throws Exception {
        running = new SystemLauncher();
        running.startup(
                Map.of(
                        SystemConfig.TYPE,
                        "Memory",
                        SystemConfig.INITIAL_CONFIGURATION_LOCATION,
                        Objects.requireNonNull(
                                        RestartableAmqpBroker.class.getResource("broker.json"))
                                .toString(),
                        SystemConfig.CONTEXT,
                        Map.of("broker.port", String.valueOf(port)),
                        SystemConfig.STARTUP_LOGGED_TO_SYSTEM_OUT,
                        "false"));
    }

    /** An action at the broker. */
    interface Doing {

        void with(Channel channel) throws IOException;
    }

    void have(Doing doing) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(port);
        factory.setUsername("leasehold");
        factory.setPassword("secret");
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            doing.with(channel);
        }
    }

    /** Takes all messages from the queue. */
    List<GetResponse> take() throws Exception {
        List<GetResponse> taken = new ArrayList<>();
        have(
                channel -> {
                    for (GetResponse next = channel.basicGet(QUEUE, true);
                            next != null;
                            next = channel.basicGet(QUEUE, true)) {
                        taken.add(next);
                    }
                });
        return taken;
    }

    @Override
    public void close() {
        running.shutdown();
    }
}
