package org.leasehold.gateway.request.error;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonBodyValidatorTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"name\": \"a\\u0000b\"}; name",
                "{\"reservations\": [{}, {\"min\": 1, \"filter\": \"\\u0000\"}]};"
                        + " reservations[1].filter",
                "{\"tags\": [[\"x\", \"\\u0000\"]]}; tags[0][1]",
                "{\"name\": \"\\ud83d\"}; name",
                "{\"name\": \"\\ude00\\ud83d\"}; name",
                "{\"a\\u0000\": 1}; a?",
            })
    void a_text_that_cannot_be_stored_is_reported_with_the_field(String body, String field) {
        assertThat(JsonBodyValidator.findFlaw(body.getBytes(UTF_8)))
                .get()
                .extracting(JsonBodyValidator.Flaw::field)
                .isEqualTo(field);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{\"name\": \"caf\\u00e9 \\ud83d\\ude00 😀\"}",
                "{\"name\": \"a backslash and letters: \\\\u0000\"}",
                "{\"malformed\": \\u0000",
            })
    void other_bodies_have_no_flaw(String body) {
        assertThat(JsonBodyValidator.findFlaw(body.getBytes(UTF_8))).isEmpty();
    }

    @Test
    void invalid_utf_8_is_a_flaw_without_a_field() {
        byte[] halfASurrogatePair = {'"', (byte) 0xed, (byte) 0xa0, (byte) 0xbd, '"'};
        assertThat(JsonBodyValidator.findFlaw(halfASurrogatePair))
                .get()
                .extracting(JsonBodyValidator.Flaw::field)
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":"})
    void too_deeply_nested_json_is_a_flaw(String opening) {
        assertThat(JsonBodyValidator.findFlaw(opening.repeat(100_000).getBytes(UTF_8)))
                .get()
                .extracting(JsonBodyValidator.Flaw::message)
                .asString()
                .contains("nested deeper than 150");
    }

    @Test
    void json_of_too_many_values_is_a_flaw() {
        String body = "[" + "[],".repeat(100_000) + "0]";
        assertThat(JsonBodyValidator.findFlaw(body.getBytes(UTF_8)))
                .get()
                .extracting(JsonBodyValidator.Flaw::message)
                .asString()
                .contains("more than 50000 values");
    }

    @Test
    void one_long_text_is_no_flaw() {
        String body = "{\"template\": \"" + "x".repeat(1_000_000) + "\"}";
        assertThat(JsonBodyValidator.findFlaw(body.getBytes(UTF_8))).isEmpty();
    }
}
