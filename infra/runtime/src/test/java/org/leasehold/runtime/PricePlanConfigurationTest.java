package org.leasehold.runtime;

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
    void without_a_file_there_are_no_plans() {
        assertThat(new PricePlanConfiguration().pricePlans(new PricePlanSettings(null)))
                .isSameAs(PricePlans.NONE);
    }

    @Test
    void the_example_is_a_file_of_plans() {
        Path example = Path.of("..", "rating", "example-plans.json");
        assertThatCode(
                        () ->
                                new PricePlanConfiguration()
                                        .pricePlans(new PricePlanSettings(example)))
                .doesNotThrowAnyException();
    }

    @Test
    void a_file_that_is_wrong_is_named_with_what_is_wrong() throws IOException {
        Path file = Files.writeString(folder.resolve("plans.json"), "{\"plans\": [7]}");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new PricePlanConfiguration().pricePlans(new PricePlanSettings(file)))
                .withMessageContaining("plans.json: plans[0]: must be an object");
    }

    @Test
    void a_file_that_is_not_there_is_named() {
        Path file = folder.resolve("none.json");
        assertThatThrownBy(
                        () -> new PricePlanConfiguration().pricePlans(new PricePlanSettings(file)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("none.json");
    }
}
