package org.leasehold.resource.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

class TemplateParserTest {

    @Test
    void yaml_and_json_templates_are_parsed_like_in_heat() {
        String text =
                """
                heat_template_version: 2018-08-31
                outputs: {}
                parameters: {on: yes, half: 0.5, nothing: null}
                resources: &all
                  web: {type: 'OS::Nova::Server', properties: {tags: [a, 1]}}
                again: *all
                """;
        Map<String, Object> resources =
                Map.of(
                        "web",
                        Map.of(
                                "type",
                                "OS::Nova::Server",
                                "properties",
                                Map.of("tags", List.of("a", 1))));

        Map<String, ?> read = TemplateParser.parseObject(text).orElseThrow();

        assertThat(read.get("heat_template_version")).isEqualTo("2018-08-31");
        assertThat(read.get("resources")).isEqualTo(resources);
        assertThat(read.get("again")).isEqualTo(resources);
        assertThat((Map<?, ?>) read.get("parameters"))
                .hasToString("{true=true, half=0.5, nothing=null}");
        assertThat(TemplateParser.parseObject("{\"a\": {\"b\": 1.5}}").orElseThrow().get("a"))
                .isEqualTo(Map.of("b", new BigDecimal("1.5")));
    }

    @Test
    void yaml_that_is_no_plain_object_or_expands_too_much_is_not_parsed() {
        String lots = "a: &a [x, x, x, x, x, x, x, x, x, x]\n";
        for (char name = 'b'; name < 'k'; name++) {
            String before = "*" + (char) (name - 1);
            lots +=
                    "%c: &%c [%s]\n"
                            .formatted(
                                    name,
                                    name,
                                    String.join(", ", java.util.Collections.nCopies(10, before)));
        }
        for (String text :
                Arrays.asList(
                        "- a",
                        "a: [",
                        "just words",
                        "a: &a [*a]",
                        "a: !!binary aGk=",
                        "a: !!binary '%%'",
                        "a: !!int x",
                        "a: !!int ''",
                        "a: !!float x",
                        "a: !!timestamp [x]",
                        "a: !!set {x: y}",
                        "a: !!omap [x]",
                        "a: !!null [x]",
                        "!!int {a: b}",
                        lots)) {
            assertThat(TemplateParser.parseObject(text)).as(text).isEmpty();
        }
        assertThat(TemplateParser.parseObject(null)).isEmpty();
    }
}
