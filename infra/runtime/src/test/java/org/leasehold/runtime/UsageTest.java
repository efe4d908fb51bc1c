package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UsageTest {

    @Test
    void settings_are_accepted_as_arguments() {
        assertThat(CommandLineHelp.findProblem("--server.port=1", "--debug")).isEmpty();
    }

    @Test
    void an_unknown_command_is_reported_by_name() {
        assertThat(CommandLineHelp.findProblem("--server.port=1", "strat"))
                .hasValue("Unknown command: strat");
    }

    @Test
    void the_help_names_every_command() {
        assertThat(CommandLineHelp.TEXT)
                .contains(
                        VerifyCommand.NAME,
                        BlazarImportCommand.NAME,
                        CheckCloudCommand.NAME,
                        "--version");
    }
}
