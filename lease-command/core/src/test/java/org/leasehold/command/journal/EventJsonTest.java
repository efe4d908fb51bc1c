package org.leasehold.command.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import java.time.Instant;

class EventJsonTest {

    private final JsonMapper json = EventJson.mapper();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2030-02-28T12:00:00Z",
                "2030-02-28T12:00:00.000001Z",
                "2030-02-28T12:00:00.123456789Z",
                "1969-12-31T23:59:59.999Z",
                "0000-01-01T00:00:00Z",
                "-0044-03-15T11:00:00Z",
                "+12030-02-28T12:00:00Z"
            })
    void an_instant_is_read_as_it_is_written(String text) {
        Instant instant = Instant.parse(text);

        String written = json.writeValueAsString(instant);

        assertThat(written).isEqualTo("\"%s\"", text);
        assertThat(json.readValue(written, Instant.class)).isEqualTo(instant);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"tomorrow", "2030-02-28", "2030-02-30T12:00:00Z", "2030-02-28T12:00:00"})
    void an_invalid_instant_is_rejected(String text) {
        assertThatExceptionOfType(JacksonException.class)
                .isThrownBy(() -> json.readValue("\"%s\"".formatted(text), Instant.class));
    }
}
