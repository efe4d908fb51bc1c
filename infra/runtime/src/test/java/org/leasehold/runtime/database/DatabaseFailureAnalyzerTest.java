package org.leasehold.runtime.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.diagnostics.FailureAnalysis;

import java.sql.SQLException;

/** Tests which database failures are reported in one sentence. */
class DatabaseFailureAnalyzerTest {

    @ParameterizedTest
    @CsvSource({
        "08001, does not answer, url",
        "57P03, does not answer, url",
        "28P01, refuses the engine, password",
        "28000, refuses the engine, user",
        "3D000, refuses the engine, url"
    })
    void a_failed_connection_is_reported_with_the_relevant_setting(
            String state, String said, String setting) {
        FailureAnalysis analysis = analyze(new SQLException("the reason", state));

        assertThat(analysis.getDescription()).contains(said, "the reason");
        assertThat(analysis.getAction()).contains("leasehold.database." + setting);
    }

    @Test
    void an_sql_syntax_error_is_not_analyzed() {
        assertThat(new DatabaseFailureAnalyzer().analyze(failed(new SQLException("bug", "42601"))))
                .isNull();
    }

    private static FailureAnalysis analyze(SQLException cause) {
        return new DatabaseFailureAnalyzer().analyze(failed(cause));
    }

    private static Throwable failed(SQLException cause) {
        return new IllegalStateException("cannot create a bean", cause);
    }
}
