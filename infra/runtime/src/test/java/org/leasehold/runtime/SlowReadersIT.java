package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.runtime.DemoProject.Lease;
import org.leasehold.runtime.database.DatabaseAddress;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Tests that slow readers of a long list do not affect others. */
class SlowReadersIT {

    private static final int CONNECTIONS = 12;

    @TempDir private static Path folder;

    @Test
    void slow_readers_do_not_exhaust_the_database_connections() throws Exception {
        try (Product product =
                Product.start(
                        folder,
                        "leasehold.database.connections=" + CONNECTIONS,
                        // All of them have the same user.
                        "leasehold.limits.requests.at-once=" + 4 * CONNECTIONS)) {
            DemoProject tenant = new DemoProject(product);
            Instant start = product.now().plus(Duration.ofHours(5));
            Lease lease = tenant.lease(start, start.plus(Duration.ofHours(1)), "");
            copy(product, 20_000);
            List<Socket> readers = new ArrayList<>();
            try {
                for (int i = 0; i < 2 * CONNECTIONS; i++) {
                    readers.add(reader(product));
                }
                // Each has read the beginning of the list, and reads no more.
                for (Socket reader : readers) {
                    assertThat(reader.getInputStream().read()).isEqualTo('H');
                }
                for (int i = 0; i < CONNECTIONS; i++) {
                    tenant.show(lease).expect(200);
                }
            } finally {
                for (Socket reader : readers) {
                    reader.close();
                }
            }
        }
    }

    /** Copies leases; they do not fit into all buffers between the product and a reader. */
    private static void copy(Product product, int times) throws SQLException {
        DatabaseAddress database = product.database();
        try (Connection connection =
                        DriverManager.getConnection(
                                database.url(), database.user(), database.password());
                Statement statement = connection.createStatement()) {
            statement.execute(
                    """
                    INSERT INTO lease
                    SELECT gen_random_uuid(), project_id, status, created_at, view, name, user_id,
                        starts, ends, kinds, unfinished
                    FROM lease, generate_series(1, %s)
                    """
                            .formatted(times));
        }
    }

    private static Socket reader(Product product) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), product.port()));
        socket.setSoTimeout(10_000);
        String request =
                "GET /v1/leases HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\n\r\n"
                        .formatted(product.as("demo").authorization());
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }
}
