package org.leasehold.gateway.request;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {

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
    void a_text_that_cannot_be_stored_is_found_where_it_is(String body, String field) {
        assertThat(JsonText.flawOf(body.getBytes(UTF_8)))
                .get()
                .extracting(JsonText.Flaw::field)
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
    void other_text_is_none_of_its_business(String body) {
        assertThat(JsonText.flawOf(body.getBytes(UTF_8))).isEmpty();
    }

    @Test
    void bytes_that_are_not_utf_8_are_a_flaw_of_no_field() {
        byte[] halfASurrogatePair = {'"', (byte) 0xed, (byte) 0xa0, (byte) 0xbd, '"'};
        assertThat(JsonText.flawOf(halfASurrogatePair))
                .get()
                .extracting(JsonText.Flaw::field)
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":"})
    void json_that_is_nested_without_end_is_a_flaw(String opening) {
        assertThat(JsonText.flawOf(opening.repeat(100_000).getBytes(UTF_8)))
                .get()
                .extracting(JsonText.Flaw::message)
                .asString()
                .contains("nested deeper than 150");
    }

    @Test
    void json_of_too_many_values_is_a_flaw() {
        String body = "[" + "[],".repeat(100_000) + "0]";
        assertThat(JsonText.flawOf(body.getBytes(UTF_8)))
                .get()
                .extracting(JsonText.Flaw::message)
                .asString()
                .contains("more than 50000 values");
    }

    @Test
    void one_long_text_is_no_flaw() {
        String body = "{\"template\": \"" + "x".repeat(1_000_000) + "\"}";
        assertThat(JsonText.flawOf(body.getBytes(UTF_8))).isEmpty();
    }
}
