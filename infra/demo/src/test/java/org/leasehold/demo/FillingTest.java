package org.leasehold.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;

import org.axonframework.eventhandling.DomainEventMessage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.leasehold.command.whatif.SideBySide;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.query.Positions;
import org.leasehold.resource.Plugins;
import org.leasehold.whatif.Comparison;
import org.leasehold.whatif.WhatIf;
import org.leasehold.whatif.World;
import org.leasehold.whatif.World.Lost;
import org.leasehold.whatif.World.More;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import javax.sql.DataSource;

/** Tests that a filled database looks as if an engine had run there. */
class FillingTest {

    private static final Instant UNTIL = Instant.parse("2026-11-16T00:00:00Z");

    @TempDir private static Path folder;
    private static Database database;
    private static HikariDataSource connections;
    private static JdbcClient jdbc;
    private static List<DomainEventMessage<?>> history;

    @BeforeAll
    static void fill() throws IOException, SQLException, InterruptedException {
        history = Past.of(Demand.of(1, UNTIL, 10), 1);
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

    /** A replay may begin in the middle only if this holds. */
    @ParameterizedTest
    @MethodSource("worlds")
    void what_was_over_before_a_window_is_nothing_in_it(World world) {
        SideBySide whole = new SideBySide(world, new PastCloud());
        whole.take(WhatIfTest.recorded(history));
        Comparison expected = whole.finish();
        Comparison found;
        try (AnnotationConfigApplicationContext reading =
                new AnnotationConfigApplicationContext()) {
            reading.registerBean(
                    DataSource.class, () -> connections, bean -> bean.setDestroyMethodName(""));
            reading.registerBean(Plugins.class, PastCloud::new);
            reading.registerBean(Positions.class, Recorded::new);
            reading.register(Replays.class);
            reading.refresh();
            found = reading.getBean(WhatIf.class).compare(world);
        }

        assertThat(found.events()).isLessThan(expected.events());
        assertThat(found).usingRecursiveComparison().ignoringFields("events").isEqualTo(expected);
        assertThat(found.recorded().requests().refused()).isPositive();
    }

    /** The product's replay of a stored past, and no other part. */
    @ComponentScan(
            basePackages = "org.leasehold.command",
            useDefaultFilters = false,
            includeFilters =
                    @Filter(
                            type = FilterType.REGEX,
                            pattern = ".*\\.(EventLog|WhatIf)Configuration"))
    private static final class Replays {}

    /** Positions in which events are recorded at the time of their decision. */
    private static final class Recorded implements Positions {

        @Override
        public long last() {
            return history.size();
        }

        @Override
        public long at(Instant instant) {
            return history.stream().filter(event -> !event.getTimestamp().isAfter(instant)).count();
        }
    }

    static Stream<World> worlds() {
        Instant from = UNTIL.minus(Duration.ofDays(4));
        More more = new More(10, ResourceKind.PHYSICAL_HOST, null, null, Map.of(), from);
        Lost lost = new Lost(ResourceKind.PHYSICAL_HOST, "az1", Requirement.none(), from);
        return Stream.of(
                World.asItWas(from, UNTIL, 10),
                new World(from, UNTIL, List.of(more), List.of(), null, 150, 1000),
                new World(from, UNTIL, List.of(), List.of(lost), Duration.ofDays(2), 100, 1000));
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
