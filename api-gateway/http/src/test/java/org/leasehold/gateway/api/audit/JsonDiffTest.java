package org.leasehold.gateway.api.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.json.JsonMapper;

import java.util.Map;

class JsonDiffTest {

    private static final JsonMapper JSON = new JsonMapper();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'a': 1, 'b': 2} | {'a': 1, 'b': 2} | {} | {}",
                "{'a': 1, 'b': 2} | {'a': 1, 'b': 3} | {'b': 2} | {'b': 3}",
                "{'a': null} | {'a': 1} | {'a': null} | {'a': 1}",
                "{'a': 1} | {} | {'a': 1} | {}",
                "{} | {'a': 1} | {} | {'a': 1}",
                "{'a': {'b': {'c': 1, 'd': 1}}} | {'a': {'b': {'c': 2, 'd': 1}}}"
                        + "| {'a.b.c': 1} | {'a.b.c': 2}",
                "{'a': {'b': 1}} | {'a': 7} | {'a': {'b': 1}} | {'a': 7}",
                // A list of items without ids is one value.
                "{'a': [1, 2]} | {'a': [2, 1]} | {'a': [1, 2]} | {'a': [2, 1]}",
                // An item with an id is the same at any place.
                "{'a': [{'id': 'x', 's': 1}, {'id': 'y', 's': 1}]}"
                        + "| {'a': [{'id': 'y', 's': 2}, {'id': 'x', 's': 1}]}"
                        + "| {'a.y.s': 1} | {'a.y.s': 2}",
                "{'a': [{'id': 7, 's': 1}]} | {'a': [{'id': 7, 's': 1}, {'id': 8}]}"
                        + "| {} | {'a.8': {'id': 8}}",
                "{'a': [{'id': 7}]} | {'a': []} | {'a.7': {'id': 7}} | {}",
            })
    void differences_are_listed_by_path(String one, String other, String before, String after) {
        JsonDiff differences =
                JsonDiff.between(JSON.readTree(json(one)), JSON.readTree(json(other)));

        assertThat(written(differences.before())).isEqualTo(json(before).replace(" ", ""));
        assertThat(written(differences.after())).isEqualTo(json(after).replace(" ", ""));
    }

    @Test
    void an_absent_document_has_no_fields() {
        JsonDiff made = JsonDiff.between(null, JSON.readTree("{\"a\": 1}"));
        assertThat(made.before()).isEmpty();
        assertThat(written(made.after())).isEqualTo("{\"a\":1}");

        JsonDiff gone = JsonDiff.between(JSON.readTree("{\"a\": 1}"), null);
        assertThat(written(gone.before())).isEqualTo("{\"a\":1}");
        assertThat(gone.after()).isEmpty();
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }

    private static String written(Map<String, @Nullable Object> fields) {
        return JSON.writeValueAsString(fields);
    }
}
