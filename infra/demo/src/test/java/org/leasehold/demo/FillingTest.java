package org.leasehold.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;

import org.axonframework.eventhandling.DomainEventMessage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** A past in a database is as if an engine had been there. */
class FillingTest {

    private static final Instant UNTIL = Instant.parse("2026-11-16T00:00:00Z");

    @TempDir private static Path folder;
    private static Database database;
    private static HikariDataSource connections;
    private static JdbcClient jdbc;
    private static List<DomainEventMessage<?>> history;

    @BeforeAll
    static void fill() throws IOException, SQLException, InterruptedException {
        history = Past.of(Demand.of(1, UNTIL, 3), 1);
        database = Database.in(folder);
        connections = database.connect();
        jdbc = JdbcClient.create(connections);
        Database.requireFresh(connections);
        Filling.fill(database, connections, history);
    }

    @AfterAll
    static void stop() throws IOException {
        connections.close();
        database.close();
    }

    @Test
    void events_stand_where_and_when_they_happened() {
        assertThat(number("SELECT count(*) FROM domain_event")).isEqualTo(history.size());
        assertThat(number("SELECT max(position) FROM domain_event")).isEqualTo(history.size());
        assertThat(number("SELECT count(*) FROM domain_event WHERE recorded_at <> decided_at"))
                .isZero();
        assertThat(
                        number(
                                """
                                SELECT count(*) FROM domain_event a JOIN domain_event b
                                    ON b.position = a.position + 1 AND b.recorded_at < a.recorded_at
                                """))
                .isZero();
    }

    @Test
    void what_is_kept_beside_the_events_is_there() {
        long deleted =
                history.stream()
                        .filter(event -> event.getPayload() instanceof LeaseDeleted)
                        .count();
        assertThat(number("SELECT count(*) FROM lease"))
                .isEqualTo(Totals.of(history).accepted() - deleted);
        assertThat(number("SELECT count(*) FROM resource"))
                .isEqualTo(
                        history.stream()
                                .filter(event -> event.getPayload() instanceof ResourceEnrolled)
                                .count());
        assertThat(number("SELECT count(*) FROM simulated_cloud.host")).isEqualTo(Fleet.HOSTS);
        assertThat(number("SELECT count(*) FROM claim")).isZero();
    }

    @Test
    void numbers_go_on() {
        assertThat(number("SELECT last_value FROM resource_number"))
                .isEqualTo(number("SELECT max(resource_id) FROM resource"));
        assertThat(number("SELECT last_value FROM tenure_generation"))
                .isEqualTo(
                        number(
                                """
                                SELECT max((tenure ->> 'generation')::bigint)
                                FROM domain_event, jsonb_array_elements(payload -> 'tenures') tenure
                                WHERE event_type = 'LeaseStarting'
                                """));
        assertThat(
                        number(
                                """
                                SELECT count(*) FROM token_entry
                                WHERE convert_from(token, 'UTF8')::json ->> 'globalIndex'
                                    = (SELECT max(position)::text FROM domain_event)
                                """))
                .isEqualTo(4);
    }

    @Test
    void a_past_comes_first_or_not_at_all() {
        assertThatThrownBy(() -> Database.requireFresh(connections))
                .hasMessageContaining("There are events already");
        assertThatThrownBy(() -> Database.in(folder)).hasMessageContaining("postgres");
    }

    private static long number(String question) {
        return jdbc.sql(question).query(Long.class).single();
    }
}
