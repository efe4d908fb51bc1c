package org.leasehold.runtime.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BlazarConfigurationTest {

    private final Plan plan = new Plan();

    @Test
    void what_means_something_here_is_told_under_our_names_and_no_secret_with_it() {
        assertThat(
                        read("""
                        # a comment
                        [DEFAULT]
                        cleaning_time = 5
                        os_auth_host = keystone
                        os_auth_prefix = identity
                        os_admin_username=blazar
                        os_admin_password = geheim
                        [manager]
                        minutes_before_end_lease = 0
                        plugins = physical.host.plugin,
                            virtual.floatingip.plugin
                        """)
                                .ours())
                .containsExactly(
                        "leasehold.authentication.method=keystone",
                        "leasehold.openstack.user=blazar",
                        "leasehold.openstack.password=…",
                        "leasehold.gateway.minutes-before-end-lease=0",
                        "leasehold.calendar.cleaning-time=5m",
                        "leasehold.openstack.auth-url=http://keystone:5000/identity/v3",
                        "leasehold.plugins.openstack-hosts.isolation=filter",
                        "leasehold.plugins.openstack-floatingips.enabled=true");
        assertThat(plan.left()).isEmpty();
        assertThat(plan.obstacles()).isEmpty();
    }

    @Test
    void the_rest_is_named_and_no_secret_told() {
        read(
                """
                [DEFAULT]
                transport_url = rabbit://blazar:geheim@rabbit
                [enforcement]
                enabled_filters = MaxLeaseDurationFilter
                enabled_filters = ExternalServiceFilter
                external_service_token = geheim
                [nova]
                aggregate_freepool_name = freepool
                """);
        assertThat(plan.left())
                .containsExactly(
                        new Note("setting DEFAULT.transport_url", "…"),
                        new Note(
                                "setting enforcement.enabled_filters",
                                "MaxLeaseDurationFilter,ExternalServiceFilter"),
                        new Note("setting enforcement.external_service_token", "…"));
    }

    @Test
    void another_name_of_what_is_in_the_cloud_stands_in_the_way() {
        read("[nova]\naggregate_freepool_name = pool\n");
        assertThat(plan.obstacles())
                .extracting(Note::about)
                .containsExactly("setting nova.aggregate_freepool_name");
    }

    @Test
    void either_sign_makes_a_setting_and_no_password_is_told_wherever_it_stands() {
        read(
                """
                [database]
                connection: mysql+pymysql://blazar:geheim@db/blazar?charset=utf8
                [profiler]
                hmac_keys = geheim
                backend_url = redis://:geheim@redis
                [physical:host]
                on_start : "default"
                """);
        assertThat(plan.left())
                .containsExactly(
                        new Note("setting database.connection", "…"),
                        new Note("setting profiler.hmac_keys", "…"),
                        new Note("setting profiler.backend_url", "…"),
                        new Note("setting physical:host.on_start", "default"));
    }

    @Test
    void a_name_in_the_cloud_stands_in_the_way_wherever_blazar_takes_it_from() {
        read(
                """
                [physical:host]
                aggregate_freepool_name: pool
                blazar_owner = 'blazar:owner'
                [Nova]
                aggregate_freepool_name = "freepool"
                """);
        assertThat(plan.obstacles())
                .extracting(Note::about)
                .containsExactly("setting physical:host.aggregate_freepool_name");
    }

    @Test
    void a_file_that_blazar_cannot_read_is_refused_and_not_told() {
        assertThatThrownBy(() -> read("[database]\ngeheim\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("database")
                .hasMessageNotContaining("geheim");
    }

    @Test
    void it_says_what_is_done_before_an_end_by_default() {
        assertThat(read("[physical:host]\nbefore_end = snapshot\n").beforeEnd())
                .isEqualTo("snapshot");
        assertThat(plan.left()).isEmpty();
        assertThat(read("[physical:host]\n").beforeEnd()).isEmpty();
    }

    private BlazarConfiguration read(String text) {
        BlazarConfiguration configuration = BlazarConfiguration.parse(text.lines().toList());
        configuration.explainTo(plan);
        return configuration;
    }
}
