package org.leasehold.gateway.request.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

class NearNamesTest {

    private static final List<String> KNOWN =
            List.of("min", "max", "amount", "before_end", "resource_properties", "gpuModel");

    @ParameterizedTest
    @CsvSource({
        "mim, min",
        "mni, min",
        "mi, min",
        "Max, max",
        "amuont, amount",
        "amont, amount",
        "ammounts, amount",
        "beforeEnd, before_end",
        "resource_propertys, resource_properties",
        "gpumodle, gpuModel"
    })
    void a_misspelt_name_suggests_the_near_one(String unknown, String near) {
        assertThat(NearNames.find(unknown, KNOWN)).containsExactly(near);
        assertThat(NearNames.suggestion(unknown, KNOWN))
                .isEqualTo("; did you mean \"" + near + "\"?");
    }

    @ParameterizedTest
    @CsvSource({"mum", "x", "colour", "resource_property", "amo", "''"})
    void a_name_that_is_near_no_other_suggests_nothing(String unknown) {
        assertThat(NearNames.suggestion(unknown, KNOWN)).isEmpty();
    }

    @Test
    void the_nearest_names_come_first_and_are_limited() {
        assertThat(
                        NearNames.find(
                                "amount", List.of("amounts", "amount_", "mount", "amont", "amou")))
                .containsExactly("amont", "amount_", "amounts");
        assertThat(NearNames.suggestion("sizes", List.of("size", "sizer")))
                .isEqualTo("; did you mean \"size\" or \"sizer\"?");
    }

    @Test
    void a_very_long_name_suggests_nothing() {
        String known = "x".repeat(65);
        assertThat(NearNames.find("x".repeat(64), List.of(known))).containsExactly(known);
        assertThat(NearNames.find("x".repeat(66), List.of(known))).isEmpty();
        assertThat(NearNames.find("x".repeat(1_000_000), List.of(known))).isEmpty();
    }
}
