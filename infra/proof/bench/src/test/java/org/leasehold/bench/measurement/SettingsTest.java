package org.leasehold.bench.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.List;

class SettingsTest {

    private static final List<String> USUAL = List.of("creates", "list");
    private static final List<String> LONG = List.of("soak");

    @Test
    void the_usual_benchmarks_are_selected_by_default() {
        assertThat(parse().names()).isEqualTo(USUAL);
        assertThat(parse("all").names()).isEqualTo(USUAL);
        assertThat(parse("soak", "--minutes", "5").names()).containsExactly("soak");
    }

    @Test
    void the_default_sizes_are_those_of_the_goals() {
        Settings settings = parse("creates");

        assertThat(settings.rounds()).isEqualTo(5);
        assertThat(settings.seconds()).isEqualTo(60);
        assertThat(settings.clients()).containsExactly(32, 64);
        assertThat(settings.hosts()).isEqualTo(1_000);
        assertThat(settings.leases()).isEqualTo(5_000);
        assertThat(settings.manyHosts()).isEqualTo(10_000);
        assertThat(settings.manyLeases()).isEqualTo(100_000);
        assertThat(settings.pastLeases()).isEqualTo(1_000_000);
        assertThat(settings.storm()).isEqualTo(10_000);
        assertThat(settings.minutes()).isEqualTo(30);
    }

    @Test
    void the_tiny_option_reduces_the_sizes_but_not_the_clients_and_the_rate() {
        Settings tiny = parse("creates", "--tiny");

        assertThat(tiny.rounds()).isEqualTo(1);
        assertThat(tiny.hosts()).isEqualTo(20);
        assertThat(tiny.soak()).isLessThan(parse("creates").soak());
        assertThat(tiny.sized(50, 3)).isEqualTo(3);
        assertThat(parse("creates").sized(50, 3)).isEqualTo(50);
        assertThat(tiny.clients()).isEqualTo(parse("creates").clients());
        assertThat(tiny.rate()).isEqualTo(parse("creates").rate());
    }

    @Test
    void a_run_of_all_benchmarks_is_short_by_default() {
        assertThat(parse().seconds()).isEqualTo(15);
        assertThat(parse("--seconds", "60").seconds()).isEqualTo(60);
    }

    @Test
    void a_rate_selects_an_open_loop() {
        assertThat(parse("creates").pace(32).rate()).isZero();
        assertThat(parse("creates", "--rate", "500").pace(32).rate()).isEqualTo(500);
    }

    @Test
    void the_folder_is_set_only_by_an_option() {
        assertThat(parse("soak").folder()).isNull();
        assertThat(parse("soak", "--folder", "/kept").folder()).hasToString("/kept");
    }

    @Test
    void the_reported_command_omits_file_paths() {
        assertThat(parse("list", "--jar", "a/b.jar", "--rounds", "1", "--profile").command())
                .isEqualTo("list --rounds 1 --profile");
    }

    @Test
    void an_unknown_or_incomplete_argument_is_rejected() {
        assertThatThrownBy(() -> parse("delete")).hasMessageContaining("delete");
        assertThatThrownBy(() -> parse("--second", "5")).hasMessageContaining("--second");
        assertThatThrownBy(() -> parse("--seconds")).hasMessageContaining("--seconds");
    }

    private static Settings parse(String... arguments) {
        return Settings.parse(USUAL, LONG, arguments);
    }
}
