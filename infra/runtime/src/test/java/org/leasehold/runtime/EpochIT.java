package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.database.DatabaseAddress;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Tests lost events: the engine refuses the database, and clients see the new epoch. */
class EpochIT {

    private static final String FEED = "/api/events?limit=1000&after=";

    @TempDir private Path folder;

    @Test
    void an_engine_that_lost_events_starts_only_with_a_new_epoch() throws SQLException {
        long last;
        String source;
        try (Product product = Product.start(folder)) {
            Answer answer = product.as("admin").get(FEED + 0);
            last = answer.body().path("next").asLong();
            source = answer.body().path("events").path(0).path("source").asString();
            assertThat(answer.headers().firstValue("Leasehold-Epoch")).contains("1");
        }
        long kept = loseLastEvent();
        assertThat(kept).isLessThan(last);

        assertThatThrownBy(() -> Product.start(folder))
                .rootCause()
                .hasMessageContaining("The database has lost events")
                .hasMessageContaining(Long.toString(last));

        try (Product product = Product.start(folder, "leasehold.epoch.begin=2")) {
            Client admin = product.as("admin");
            new DemoProject(product).leaseNow(1, DemoProject.named("compute-1"));

            assertThat(admin.get(FEED + last).expect(409).path("type").asString())
                    .isEqualTo("/problems/position-lost");
            assertThat(admin.get("/problems/position-lost").status()).isEqualTo(200);
            assertThat(positionHeader(admin, last)).isEqualTo(409);
            JsonNode epoch = admin.get("/api/events/numbers").expect(200).path("epochs").path(1);
            assertThat(epoch.path("number").asLong()).isEqualTo(2);
            assertThat(epoch.path("after").asLong()).isEqualTo(kept);
            assertThat(epoch.path("lost_through").asLong()).isGreaterThanOrEqualTo(last);
            Answer answer = admin.get(FEED + 0);
            assertThat(answer.headers().firstValue("Leasehold-Epoch")).contains("2");
            List<String> sources = new ArrayList<>();
            for (JsonNode event : answer.expect(200).path("events")) {
                boolean isOld = event.path("position").asLong() <= kept;
                sources.add(event.path("source").asString());
                assertThat(event.path("source").asString())
                        .isEqualTo(isOld ? source : source + "?epoch=2");
            }
            assertThat(sources).contains(source, source + "?epoch=2");
        }
        try (Product product = Product.start(folder)) {
            assertThat(product.as("admin").get(FEED + 0).headers().firstValue("Leasehold-Epoch"))
                    .contains("2");
        }
    }

    private static int positionHeader(Client client, long position) {
        return client.getAt("/api/leases", position).status();
    }

    /** Deletes the last event, and returns the position of its predecessor. */
    private long loseLastEvent() throws SQLException {
        DatabaseAddress database = SharedPostgres.of(folder);
        try (Connection connection =
                        DriverManager.getConnection(
                                database.url(), database.user(), database.password());
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "DELETE FROM domain_event"
                            + " WHERE position = (SELECT max(position) FROM domain_event)");
            try (var row = statement.executeQuery("SELECT max(position) FROM domain_event")) {
                row.next();
                return row.getLong(1);
            }
        }
    }
}
