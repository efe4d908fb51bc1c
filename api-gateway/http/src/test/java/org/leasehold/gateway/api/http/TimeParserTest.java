package org.leasehold.gateway.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;

class TimeParserTest {

    @ParameterizedTest
    @CsvSource({
        "2030-01-31T08:00:00Z, 2030-01-31T08:00:00Z",
        "2030-01-31t08:00:00z, 2030-01-31T08:00:00Z",
        "2030-01-31T08:00:00.123456+05:30, 2030-01-31T02:30:00.123456Z",
        "2030-01-31T08:00:00+0530, 2030-01-31T02:30:00Z",
        "2030-01-31T08:00:00+05, 2030-01-31T03:00:00Z",
        "2030-01-31T08:00:00-0330, 2030-01-31T11:30:00Z"
    })
    void utc_offsets_are_accepted_in_extended_or_basic_format(String text, Instant instant) {
        assertThat(TimeParser.parseInstant(text)).isEqualTo(instant);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2030-02-30T08:00:00Z",
                "2030-04-31T08:00:00+05:30",
                "2030-01-01T24:00:00Z",
                "2030-01-01T08:00:00ZZZ",
                "2030-01-01T08:00:00+05:30+0530",
                "2030-01-01T08:00:00",
                "1969-12-31T23:59:59Z",
                "+10000-01-01T00:00:00Z"
            })
    void an_invalid_time_is_rejected(String text) {
        assertThatThrownBy(() -> TimeParser.parseInstant(text))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "1969-12-31T23:59:59Z, 1970-01-01T00:00:00Z",
        "1970-01-01T00:00:00Z, 1970-01-01T00:00:00Z",
        "2030-01-31T08:00:00Z, 2030-01-31T08:00:00Z",
        "9999-12-31T23:59:59Z, 9999-12-31T23:59:59Z",
        "9999-12-31T23:59:59.000001Z, 9999-12-31T23:59:59Z",
        "+10000-01-01T00:00:00Z, 9999-12-31T23:59:59Z"
    })
    void a_computed_instant_stays_within_the_instants_of_requests(Instant computed, Instant shown) {
        assertThat(TimeParser.clamp(computed)).isEqualTo(shown);
        assertThat(TimeParser.parseInstant(shown.toString())).isEqualTo(shown);
    }
}
