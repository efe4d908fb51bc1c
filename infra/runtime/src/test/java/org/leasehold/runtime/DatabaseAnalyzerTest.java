package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.diagnostics.FailureAnalysis;

import java.sql.SQLException;

/** Tests which database failures are reported in one sentence. */
class DatabaseAnalyzerTest {

    @ParameterizedTest
    @CsvSource({
        "08001, does not answer, url",
        "57P03, does not answer, url",
        "28P01, refuses the engine, password",
        "28000, refuses the engine, user",
        "3D000, refuses the engine, url"
    })
    void a_database_that_lets_nobody_in_is_a_matter_of_its_settings(
            String state, String said, String setting) {
        FailureAnalysis analysis = analyze(new SQLException("the reason", state));

        assertThat(analysis.getDescription()).contains(said, "the reason");
        assertThat(analysis.getAction()).contains("leasehold.database." + setting);
    }

    @Test
    void other_failures_keep_their_stack_trace() {
        assertThat(new DatabaseAnalyzer().analyze(failed(new SQLException("bug", "42601"))))
                .isNull();
    }

    private static FailureAnalysis analyze(SQLException cause) {
        return new DatabaseAnalyzer().analyze(failed(cause));
    }

    private static Throwable failed(SQLException cause) {
        return new IllegalStateException("cannot create a bean", cause);
    }
}
