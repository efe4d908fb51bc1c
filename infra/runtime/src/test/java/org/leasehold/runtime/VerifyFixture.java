package org.leasehold.runtime;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.runtime.DemoProject.Lease;
import org.leasehold.runtime.database.DatabaseAddress;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** A product with leases in several states, whose database a test may damage. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class VerifyFixture {

    private static final Duration LONG = Duration.ofHours(5);

    Path folder;
    Product product;
    Lease running;
    Lease waiting;
    Lease over;

    @BeforeAll
    void live(@TempDir Path given) {
        folder = given;
        product = Product.startEmbedded(folder);
        DemoProject tenant = new DemoProject(product);
        running = tenant.leaseNow(1, DemoProject.named("compute-1"));
        Instant later = product.now().plus(LONG);
        waiting = tenant.lease(later, later.plus(LONG), DemoProject.named("compute-2"));
        product.as("demo")
                .patch(
                        "/api/leases/" + waiting.id(),
                        Map.of("before_end", later.plusSeconds(60).toString()))
                .expect(200);
        over = tenant.leaseNow(1, DemoProject.named("compute-3"));
        tenant.awaitStatus(running, "ACTIVE");
        tenant.awaitStatus(over, "ACTIVE");
        tenant.end(over);
        tenant.awaitStatus(over, "TERMINATED");
        Lease gone = tenant.lease(later, later.plus(LONG), DemoProject.named("compute-4"));
        tenant.delete(gone);
        Client admin = product.as("admin");
        admin.post("/v1/os-hosts", Map.of("name", "compute-5", "gpu", "V100")).expect(201);
        admin.patch("/v1/os-hosts/properties/gpu", Map.of("private", true)).expect(200);
        // Before that, the expected timers are unknown. A saga that ignores the last events
        // acknowledges them some seconds later.
        Await.until("the processes have followed", () -> product.unfollowed() == 0);
    }

    @AfterAll
    void stop() {
        product.close();
    }

    void sql(String sql) throws SQLException {
        DatabaseAddress database = product.database();
        try (Connection connection =
                        DriverManager.getConnection(
                                database.url(), database.user(), database.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
