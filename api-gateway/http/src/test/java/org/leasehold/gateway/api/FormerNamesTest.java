package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.gateway.api.http.FormerName;

import tools.jackson.databind.json.JsonMapper;

class FormerNamesTest {

    private final JsonMapper json = mapper();

    private static JsonMapper mapper() {
        JsonMapper.Builder builder = JsonMapper.builder();
        new StrictJson().customize(builder);
        return builder.build();
    }

    record Window(
            @FormerName("starts") String startedAt, @FormerName("till") @Nullable String end) {}

    @Test
    void a_renamed_field_has_the_same_value_under_both_names() {
        assertThat(json.readTree(json.writeValueAsString(new Window("now", "later"))))
                .isEqualTo(
                        json.readTree(
                                """
                                {"started_at": "now", "starts": "now", "end": "later", "till": "later"}
                                """));
    }

    @Test
    void a_renamed_field_is_null_under_both_names() {
        assertThat(json.readTree(json.writeValueAsString(new Window("now", null))))
                .isEqualTo(
                        json.readTree(
                                """
                                {"started_at": "now", "starts": "now", "end": null, "till": null}
                                """));
    }
}
