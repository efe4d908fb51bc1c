package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.PluginRegistry;
import org.leasehold.runtime.database.DatabaseAddress;
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
    void a_setting_of_real_hosts_turns_off_the_simulated_cloud() {
        MockEnvironment environment = cloud();
        environment.setProperty("leasehold.plugins.openstack-hosts.isolation", "tenancy");

        try (PluginRegistry plugins = new PluginConfiguration().plugins(environment, NOWHERE)) {
            assertThat(plugins.find(ResourceKind.PHYSICAL_HOST)).isPresent();
        }
        assertThat(PluginConfiguration.isSimulated(environment)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"openstack-instances, virtual:instance", "openstack-flavors, flavor:instance"})
    void real_hosts_offer_instances_unless_the_plugin_is_disabled(String name, String kind) {
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
    void an_empty_folder_setting_is_like_none() {
        MockEnvironment environment = cloud();
        environment.setProperty("leasehold.plugins.openstack-hosts.isolation", "tenancy");
        environment.setProperty("leasehold.plugins.folder", "");

        try (PluginRegistry plugins = new PluginConfiguration().plugins(environment, NOWHERE)) {
            assertThat(plugins.find(ResourceKind.PHYSICAL_HOST)).isPresent();
        }
    }

    @Test
    void real_hosts_require_the_isolation_setting() {
        MockEnvironment environment = cloud();
        environment.setProperty("leasehold.plugins.openstack-hosts.enabled", "true");

        assertThatThrownBy(() -> new PluginConfiguration().plugins(environment, NOWHERE))
                .hasMessage(
                        "The plugin openstack-hosts cannot start: the setting isolation is"
                                + " missing");
    }

    @Test
    void the_cloud_is_simulated_without_settings_for_real_hosts() {
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
