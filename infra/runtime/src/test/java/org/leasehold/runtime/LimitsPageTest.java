package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.stream.Collectors.toMap;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.leasehold.gateway.limits.Limit;
import org.leasehold.gateway.limits.LimitSettings;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.yaml.snakeyaml.Yaml;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Tests that the page about limits names the existing settings, with their defaults. */
class LimitsPageTest {

    private static final Path PAGE = Path.of("..", "docs", "limits.md");

    /** A row of a table: the limit, its setting, its default. */
    private static final Pattern ROW =
            Pattern.compile("^\\|[^|]+\\| `([a-z.-]+)` \\| `([^`]+)` \\|", Pattern.MULTILINE);

    /** The names of settings that are limits. */
    private static final Pattern LIMIT =
            Pattern.compile(
                    "^leasehold\\.limits\\..*|.*(max-|most-|connections|threads|per-plugin|timeout).*");

    private static Map<String, String> page;
    private static Map<String, String> settings;

    @BeforeAll
    static void read() throws Exception {
        page =
                ROW.matcher(Files.readString(PAGE))
                        .results()
                        .collect(toMap(row -> row.group(1), row -> row.group(2)));
        settings = new TreeMap<>(server());
        var scanner = new ClassPathScanningCandidateComponentProvider(false);
        scanner.addIncludeFilter(new AnnotationTypeFilter(ConfigurationProperties.class));
        for (var found : scanner.findCandidateComponents("org.leasehold")) {
            Class<?> type = Class.forName(found.getBeanClassName());
            add(type.getAnnotation(ConfigurationProperties.class).prefix(), type);
        }
    }

    private static void add(String prefix, Class<?> type) {
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + "." + DataObjectPropertyName.toDashedForm(component.getName());
            if (component.getType().isRecord()) {
                add(name, component.getType());
            } else {
                settings.put(name, defaultOf(type, component));
            }
        }
    }

    /** Returns the default; the annotation is on the parameter of the constructor. */
    private static String defaultOf(Class<?> type, RecordComponent component) {
        int index = 0;
        while (!type.getRecordComponents()[index].getName().equals(component.getName())) {
            index++;
        }
        DefaultValue value =
                type.getDeclaredConstructors()[0].getParameters()[index].getAnnotation(
                        DefaultValue.class);
        return value == null ? "" : String.join(",", value.value());
    }

    /** Returns the product's settings of its server. */
    private static Map<String, String> server() throws IOException {
        Map<String, Map<String, Map<String, Object>>> file;
        try (var yaml = Leasehold.class.getResourceAsStream("/application.yaml")) {
            file = new Yaml().load(yaml);
        }
        Map<String, String> server = new HashMap<>();
        file.get("server")
                .get("tomcat")
                .forEach((name, value) -> server.put("server.tomcat." + name, value.toString()));
        return server;
    }

    @Test
    void every_setting_on_the_page_exists_with_the_documented_default() {
        assertThat(page).isNotEmpty();
        page.forEach((name, value) -> assertThat(settings).containsEntry(name, value));
    }

    @Test
    void every_limit_that_metrics_name_is_on_the_page() throws IOException {
        String text = Files.readString(PAGE);
        assertThat(Limit.values())
                .allMatch(
                        limit ->
                                page.containsKey(LimitSettings.PREFIX + "." + limit.label())
                                        || text.contains("`" + limit.label() + "`"));
    }

    @Test
    void every_setting_that_is_a_limit_is_on_the_page() {
        assertThat(settings.keySet().stream().filter(name -> LIMIT.matcher(name).matches()))
                .isNotEmpty()
                .allMatch(page::containsKey);
    }
}
