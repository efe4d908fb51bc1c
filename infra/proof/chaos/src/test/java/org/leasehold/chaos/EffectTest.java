package org.leasehold.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

class EffectTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "INSERT INTO timer (a) VALUES (1) ON CONFLICT DO UPDATE SET a = 2 | insert timer",
                "insert into \"public\".\"flyway_schema_history\" values (1)"
                        + " | insert flyway_schema_history",
                "UPDATE timer SET picked = ?, picked_by = ? RETURNING * | take timer",
                "update timer set picked = false, picked_by = null | put back timer",
                "WITH due AS (SELECT a FROM timer FOR UPDATE SKIP LOCKED)"
                        + " UPDATE timer t SET execution_time = ? FROM due | take timer",
                "UPDATE timer SET execution_time = ?, consecutive_failures = ? | put back timer",
                "UPDATE plugin_task SET last_heartbeat = ? | hold plugin_task",
                "DELETE FROM plugin_task WHERE a = 1 | delete plugin_task"
            })
    void a_changing_statement_is_named_by_verb_and_table(String sql, String name) {
        assertThat(Effect.names(Effect.parseAll(sql))).containsExactly(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM timer FOR UPDATE SKIP LOCKED",
                "SELECT * FROM resource FOR NO KEY UPDATE OF resource",
                "CREATE TRIGGER t AFTER INSERT OR UPDATE OR DELETE ON resource"
            })
    void a_statement_without_a_change_has_no_effect(String sql) {
        assertThat(Effect.parseAll(sql)).isEmpty();
    }

    @Test
    void a_processor_offset_is_named_only_without_another_change() {
        assertThat(names("UPDATE token_entry SET a = 1")).containsExactly("update token_entry");
        assertThat(names("INSERT INTO timer", "UPDATE token_entry"))
                .containsExactly("insert timer");
    }

    @Test
    void tables_that_change_along_with_others_are_not_named() {
        assertThat(
                        names(
                                "SELECT position FROM projection FOR UPDATE SKIP LOCKED",
                                "INSERT INTO event_entry",
                                "INSERT INTO event_resource",
                                "UPDATE projection SET a = 1"))
                .containsExactly("insert event_entry");
        assertThat(
                        names(
                                "INSERT INTO seal",
                                "INSERT INTO sealed_stream ON CONFLICT DO UPDATE SET a = 1",
                                "UPDATE projection SET a = 1"))
                .containsExactly("insert seal");
    }

    @Test
    void a_deletion_by_a_processor_is_named_cancellation() {
        assertThat(names("DELETE FROM timer")).containsExactly("delete timer");
        assertThat(names("DELETE FROM timer", "UPDATE token_entry"))
                .containsExactly("cancel timer");
    }

    @Test
    void a_deletion_has_a_name_beside_the_last_other_change() {
        assertThat(names("DELETE FROM capacity_span", "INSERT INTO capacity_span"))
                .containsExactly("delete capacity_span", "insert capacity_span");
        assertThat(
                        names(
                                "UPDATE timer SET picked = ?",
                                "UPDATE timer SET picked = false",
                                "INSERT INTO timer"))
                .containsExactly("insert timer");
    }

    @Test
    void inserted_events_and_cloud_effects_have_details() {
        assertThat(Effect.parseAll("INSERT INTO domain_event (a)"))
                .singleElement()
                .matches(effect -> effect.detailsQuery() != null);
        assertThat(Effect.parseAll("INSERT INTO effect (operation)"))
                .singleElement()
                .matches(effect -> effect.detailsQuery() != null);
    }

    private static Set<String> names(String... statements) {
        Set<Effect> effects = new LinkedHashSet<>();
        List.of(statements).forEach(sql -> effects.addAll(Effect.parseAll(sql)));
        return Effect.names(effects);
    }
}
