package org.leasehold.runtime.pricing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.query.rating.PricePlans;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

class PricePlanConfigurationTest {

    @TempDir Path folder;

    @Test
    void an_unset_file_yields_no_price_plans() {
        assertThat(new PricePlanConfiguration().pricePlans(new PricePlanSettings(null, false)))
                .isSameAs(PricePlans.NONE);
    }

    @Test
    void the_example_file_contains_valid_price_plans() {
        Path example = Path.of("..", "docs", "rating", "example-plans.json");
        assertThatCode(
                        () ->
                                new PricePlanConfiguration()
                                        .pricePlans(new PricePlanSettings(example, true)))
                .doesNotThrowAnyException();
    }

    @Test
    void example_plans_need_no_file() {
        assertThat(new PricePlanConfiguration().pricePlans(new PricePlanSettings(null, true)))
                .isNotSameAs(PricePlans.NONE);
    }

    @Test
    void the_error_for_an_invalid_file_names_the_file_and_the_fault() throws IOException {
        Path file = Files.writeString(folder.resolve("plans.json"), "{\"plans\": [7]}");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                new PricePlanConfiguration()
                                        .pricePlans(new PricePlanSettings(file, true)))
                .withMessageContaining("plans.json: plans[0]: must be an object");
    }

    @Test
    void the_error_for_a_missing_file_names_the_file() {
        Path file = folder.resolve("none.json");
        assertThatThrownBy(
                        () ->
                                new PricePlanConfiguration()
                                        .pricePlans(new PricePlanSettings(file, true)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("none.json");
    }
}
