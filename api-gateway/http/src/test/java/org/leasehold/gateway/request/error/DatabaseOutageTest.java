package org.leasehold.gateway.request.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

class DatabaseOutageTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "08001", "08006", "53100", "53300", "57014", "57P01", "57P03", "58030", "55P03",
                "25P03", "25006"
            })
    void an_sql_state_of_unavailability_is_an_outage(String state) {
        assertThat(DatabaseOutage.isOutage(new SQLException("told", state))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"23505", "40001", "42601", "22021", "0", ""})
    void other_sql_states_are_no_outage(String state) {
        assertThat(DatabaseOutage.isOutage(new SQLException("told", state))).isFalse();
    }

    @Test
    void a_pool_without_connections_is_an_outage() {
        assertThat(DatabaseOutage.isOutage(new SQLTransientConnectionException("none within 10 s")))
                .isTrue();
    }

    @Test
    void a_failure_without_an_sql_state_is_judged_by_the_cause() {
        assertThat(DatabaseOutage.isOutage(new SQLException("no state"))).isFalse();
        SQLException lost = new SQLException("an I/O error", "08006");
        assertThat(DatabaseOutage.isOutage(new SQLException("no state", lost))).isTrue();
    }
}
