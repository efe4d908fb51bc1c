package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.PluginRegistry;
import org.springframework.mock.env.MockEnvironment;

import java.util.Map;

/** Tests the selection of the cloud by the settings. */
class PluginConfigurationTest {

    /** An address at which the simulated cloud cannot start. */
    private static final DatabaseAddress NOWHERE =
            new DatabaseAddress("jdbc:postgresql://127.0.0.1:9/none", "", "", () -> {});

    private static final Map<String, String> CLOUD =
            Map.of(
                    "auth-url", "http://127.0.0.1:9/v3",
                    "user", "leasehold",
                    "password", "secret",
                    "project", "service");

    @Test
    void whoever_sets_something_of_real_hosts_gets_no_simulated_ones() {
        MockEnvironment environment = cloud();
        environment.setProperty("leasehold.plugins.openstack-hosts.isolation", "tenancy");

        try (PluginRegistry plugins = new PluginConfiguration().plugins(environment, NOWHERE)) {
            assertThat(plugins.find(ResourceKind.PHYSICAL_HOST)).isPresent();
        }
        assertThat(PluginConfiguration.isSimulated(environment)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"openstack-instances, virtual:instance", "openstack-flavors, flavor:instance"})
    void instances_are_leased_on_the_real_hosts_unless_they_are_switched_off(
            String name, String kind) {
        MockEnvironment environment = cloud();
        environment.setProperty("leasehold.plugins.openstack-hosts.isolation", "tenancy");

        try (PluginRegistry plugins = new PluginConfiguration().plugins(environment, NOWHERE)) {
            assertThat(plugins.kinds()).contains(kind);
        }
        environment.setProperty("leasehold.plugins." + name + ".enabled", "false");

        try (PluginRegistry plugins = new PluginConfiguration().plugins(environment, NOWHERE)) {
            assertThat(plugins.kinds()).hasSize(2).doesNotContain(kind);
        }
    }

    @Test
    void a_real_host_is_never_leased_without_saying_how_it_is_kept_apart() {
        MockEnvironment environment = cloud();
        environment.setProperty("leasehold.plugins.openstack-hosts.enabled", "true");

        assertThatThrownBy(() -> new PluginConfiguration().plugins(environment, NOWHERE))
                .hasMessage(
                        "The plugin openstack-hosts cannot start: the setting isolation is"
                                + " missing");
    }

    @Test
    void everybody_else_gets_the_simulated_ones() {
        assertThat(PluginConfiguration.isSimulated(cloud())).isTrue();
        assertThat(
                        PluginConfiguration.isSimulated(
                                new MockEnvironment()
                                        .withProperty(
                                                "leasehold.plugins.openstack-hosts.enabled",
                                                "false")))
                .isTrue();
        assertThatThrownBy(() -> new PluginConfiguration().plugins(cloud(), NOWHERE))
                .hasMessageMatching("The plugin simulat(or|ed-[a-z]+) cannot start.*");
    }

    /** Returns settings of Keystone, which callers may use with any cloud. */
    private static MockEnvironment cloud() {
        MockEnvironment environment = new MockEnvironment();
        CLOUD.forEach(
                (name, value) -> environment.setProperty("leasehold.openstack." + name, value));
        return environment;
    }
}
