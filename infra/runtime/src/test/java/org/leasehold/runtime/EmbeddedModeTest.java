package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.mock.env.MockEnvironment;

import java.nio.file.Path;

class EmbeddedModeTest {

    private static final String EXAMPLE = "leasehold.rating.example-plans";

    @TempDir private Path folder;

    @Test
    void the_embedded_default_has_example_prices() {
        assertThat(process(new MockEnvironment()).getProperty(EXAMPLE)).isEqualTo("true");
    }

    @Test
    void a_setting_turns_the_example_prices_off() {
        MockEnvironment environment = new MockEnvironment().withProperty(EXAMPLE, "false");

        assertThat(process(environment).getProperty(EXAMPLE)).isEqualTo("false");
    }

    @Test
    void leases_of_a_real_cloud_have_no_example_prices() {
        MockEnvironment environment =
                new MockEnvironment()
                        .withProperty("leasehold.plugins.openstack-hosts.isolation", "filter");

        assertThat(process(environment).containsProperty(EXAMPLE)).isFalse();
    }

    @Test
    void an_engine_on_a_server_has_no_example_prices() {
        MockEnvironment environment =
                new MockEnvironment().withProperty("leasehold.database.url", "jdbc:postgresql:x");

        assertThat(process(environment).containsProperty(EXAMPLE)).isFalse();
    }

    private MockEnvironment process(MockEnvironment environment) {
        environment.setProperty("leasehold.database.folder", folder.toString());
        new EmbeddedMode(new DefaultBootstrapContext())
                .postProcessEnvironment(environment, Leasehold.application());
        return environment;
    }
}
