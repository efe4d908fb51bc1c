package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

class GeneratorFormsTest {

    private static final Map<String, String> TEXT = Map.of("type", "string");

    @Test
    void a_choice_of_text_and_object_becomes_the_object() {
        Map<String, Object> schema =
                Map.of(
                        "description",
                        "A template.",
                        "anyOf",
                        List.of(TEXT, Map.of("type", "object")));

        assertThat(GeneratorForms.simplify("Stack", Map.of("properties", Map.of("a", schema))))
                .isEqualTo(
                        Map.of(
                                "properties",
                                Map.of(
                                        "a",
                                        Map.of("description", "A template.", "type", "object"))));
    }

    @Test
    void a_choice_of_objects_stays() {
        Map<String, Object> schema =
                Map.of("anyOf", List.of(Map.of("type", "object"), Map.of("$ref", "#/x/Other")));
        assertThat(GeneratorForms.simplify("Stack", schema)).isEqualTo(schema);
    }

    @Test
    void a_list_that_contains_itself_has_items_of_any_form() {
        Map<String, Object> filter =
                Map.of(
                        "type",
                        "array",
                        "items",
                        Map.of(
                                "anyOf",
                                List.of(TEXT, Map.of("$ref", "#/components/schemas/Filter"))));
        assertThat(GeneratorForms.simplify("Filter", filter))
                .isEqualTo(
                        Map.of(
                                "type",
                                "array",
                                "items",
                                Map.of("description", "A text, or a nested Filter.")));
    }
}
