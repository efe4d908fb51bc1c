package org.leasehold.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.List;

class SettingsTest {

    private static final List<String> KNOWN = List.of("create", "list");

    @Test
    void everything_is_measured_unless_something_is_named() {
        assertThat(parse().names()).isEqualTo(KNOWN);
        assertThat(parse("list", "--seconds", "5").names()).containsExactly("list");
    }

    @Test
    void the_sizes_are_those_of_the_goals() {
        Settings settings = parse();

        assertThat(settings.seconds()).isEqualTo(60);
        assertThat(settings.clients()).isEqualTo(32);
        assertThat(settings.hosts()).isEqualTo(1_000);
        assertThat(settings.leases()).isEqualTo(5_000);
        assertThat(settings.storm()).isEqualTo(1_000);
    }

    @Test
    void what_does_not_exist_is_not_measured() {
        assertThatThrownBy(() -> parse("delete")).hasMessageContaining("delete");
        assertThatThrownBy(() -> parse("--second", "5")).hasMessageContaining("--second");
        assertThatThrownBy(() -> parse("--seconds")).hasMessageContaining("--seconds");
    }

    private static Settings parse(String... arguments) {
        return Settings.parse(KNOWN, arguments);
    }
}
