package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UsageTest {

    @Test
    void settings_are_no_problem() {
        assertThat(Usage.problemOf("--server.port=1", "--debug")).isEmpty();
    }

    @Test
    void an_unknown_word_is_named() {
        assertThat(Usage.problemOf("--server.port=1", "strat")).hasValue("Unknown command: strat");
    }

    @Test
    void the_help_names_every_command() {
        assertThat(Usage.TEXT)
                .contains(
                        VerifyCommand.NAME,
                        MoveInCommand.NAME,
                        CheckCloudCommand.NAME,
                        "--version");
    }
}
