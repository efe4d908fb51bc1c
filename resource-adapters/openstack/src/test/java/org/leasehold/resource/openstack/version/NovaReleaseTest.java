package org.leasehold.resource.openstack.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the order of microversions, and the names of Nova's releases. */
class NovaReleaseTest {

    @ParameterizedTest
    @CsvSource({
        "2.42, older than Pike",
        "2.53, Pike",
        "2.90, Xena or Yoga",
        "2.93, Zed",
        "2.94, newer than Zed",
        "2.95, 2023.1 or 2023.2",
        "2.96, 2024.1 or 2024.2",
        "2.100, 2025.1 or 2025.2",
        "2.103, 2026.1",
        "2.104, newer than 2026.1",
        "3.0, newer than 2026.1"
    })
    void the_newest_microversion_names_the_release(String newest, String name) {
        assertThat(NovaRelease.nameOf(Microversion.of(newest))).isEqualTo(name);
    }

    @Test
    void microversions_are_ordered_by_number() {
        assertThat(Microversion.of("2.100")).isGreaterThan(Microversion.of("2.53"));
        assertThat(Microversion.of("3.0")).isGreaterThan(Microversion.of("2.100"));
        assertThat(Microversion.of("2.100")).hasToString("2.100");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2", "v2.1", "2.1.0", "2.99999", "latest"})
    void a_text_of_another_form_is_no_microversion(String text) {
        assertThat(Microversion.parse(text)).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> Microversion.of(text));
    }
}
