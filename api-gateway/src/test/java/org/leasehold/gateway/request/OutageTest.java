package org.leasehold.gateway.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

class OutageTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "08001", "08006", "53100", "53300", "57014", "57P01", "57P03", "58030", "55P03",
                "25P03", "25006"
            })
    void a_database_that_cannot_serve_now_is_an_outage(String state) {
        assertThat(Outage.isTold(new SQLException("told", state))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"23505", "40001", "42601", "22021", "0", ""})
    void a_statement_that_is_wrong_is_none(String state) {
        assertThat(Outage.isTold(new SQLException("told", state))).isFalse();
    }

    @Test
    void a_pool_without_connections_is_an_outage() {
        assertThat(Outage.isTold(new SQLTransientConnectionException("none within 10 s"))).isTrue();
    }

    @Test
    void a_failure_without_a_state_is_none_unless_its_cause_is() {
        assertThat(Outage.isTold(new SQLException("no state"))).isFalse();
        SQLException lost = new SQLException("an I/O error", "08006");
        assertThat(Outage.isTold(new SQLException("no state", lost))).isTrue();
    }
}
