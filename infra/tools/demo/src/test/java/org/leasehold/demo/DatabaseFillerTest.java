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
import org.leasehold.command.whatif.ScenarioComparison;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.resource.Plugins;
import org.leasehold.whatif.Comparison;
import org.leasehold.whatif.WhatIf;
import org.leasehold.whatif.WhatIfScenario;
import org.leasehold.whatif.WhatIfScenario.Lost;
import org.leasehold.whatif.WhatIfScenario.More;
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
class DatabaseFillerTest {

    private static final Instant UNTIL = Instant.parse("2026-11-16T00:00:00Z");

    @TempDir private static Path folder;
    private static TargetDatabase database;
    private static HikariDataSource connections;
    private static JdbcClient jdbc;
    private static List<DomainEventMessage<?>> history;

    @BeforeAll
    static void fill() throws IOException, SQLException, InterruptedException {
        history = EventLogGenerator.of(Workload.of(1, UNTIL, 10), 1);
        database = TargetDatabase.embedded(folder);
        connections = database.connect();
        jdbc = JdbcClient.create(connections);
        TargetDatabase.requireFresh(connections);
        DatabaseFiller.fill(database, connections, history);
    }

    @AfterAll
    static void stop() throws IOException {
        connections.close();
        database.close();
    }

    @Test
    void events_are_stored_in_order_with_the_time_of_the_decision() {
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
    void the_tables_of_leases_resources_and_hosts_match_the_events() {
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
    void sequences_and_offsets_continue_after_the_stored_events() {
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
    void a_replay_of_the_window_gives_the_result_of_a_full_replay(WhatIfScenario world) {
        ScenarioComparison whole = new ScenarioComparison(world, new StatelessCloud());
        whole.replay(WhatIfTest.recorded(history));
        Comparison expected = whole.finish();
        Comparison found;
        try (AnnotationConfigApplicationContext reading =
                new AnnotationConfigApplicationContext()) {
            reading.registerBean(
                    DataSource.class, () -> connections, bean -> bean.setDestroyMethodName(""));
            reading.registerBean(Plugins.class, StatelessCloud::new);
            reading.registerBean(EventLogPositions.class, Recorded::new);
            reading.register(Replays.class);
            reading.refresh();
            found = reading.getBean(WhatIf.class).compare(world);
        }

        assertThat(found.events()).isLessThan(expected.events());
        assertThat(found).usingRecursiveComparison().ignoringFields("events").isEqualTo(expected);
        assertThat(found.recorded().requests().refused()).isPositive();
    }

    /** The product's replay of a stored event log, and no other part. */
    @ComponentScan(
            basePackages = "org.leasehold.command",
            useDefaultFilters = false,
            includeFilters =
                    @Filter(
                            type = FilterType.REGEX,
                            pattern = ".*\\.(EventLog|WhatIf)Configuration"))
    private static final class Replays {}

    /** Positions in which events are recorded at the time of their decision. */
    private static final class Recorded implements EventLogPositions {

        @Override
        public long last() {
            return history.size();
        }

        @Override
        public long at(Instant instant) {
            return history.stream().filter(event -> !event.getTimestamp().isAfter(instant)).count();
        }
    }

    static Stream<WhatIfScenario> worlds() {
        Instant from = UNTIL.minus(Duration.ofDays(4));
        More more = new More(10, ResourceKind.PHYSICAL_HOST, null, null, Map.of(), from);
        Lost lost = new Lost(ResourceKind.PHYSICAL_HOST, "az1", Requirement.none(), from);
        return Stream.of(
                WhatIfScenario.ofUnchanged(from, UNTIL, 10),
                new WhatIfScenario(from, UNTIL, List.of(more), List.of(), null, 150, 1000),
                new WhatIfScenario(
                        from, UNTIL, List.of(), List.of(lost), Duration.ofDays(2), 100, 1000));
    }

    @Test
    void only_a_fresh_database_can_be_filled() {
        assertThatThrownBy(() -> TargetDatabase.requireFresh(connections))
                .hasMessageContaining("There are events already");
        assertThatThrownBy(() -> TargetDatabase.embedded(folder)).hasMessageContaining("postgres");
    }

    private static long number(String question) {
        return jdbc.sql(question).query(Long.class).single();
    }
}
