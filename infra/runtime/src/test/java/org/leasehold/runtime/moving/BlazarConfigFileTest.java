package org.leasehold.runtime.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BlazarConfigFileTest {

    private final ImportPlan plan = new ImportPlan();

    @Test
    void known_settings_are_translated_and_the_password_is_masked() {
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
                                .toLeaseholdSettings())
                .containsExactly(
                        "leasehold.authentication.method=keystone",
                        "leasehold.openstack.user=blazar",
                        "leasehold.openstack.password=…",
                        "leasehold.gateway.minutes-before-end-lease=0",
                        "leasehold.calendar.cleaning-time=5m",
                        "leasehold.openstack.auth-url=http://keystone:5000/identity/v3",
                        "leasehold.plugins.openstack-hosts.isolation=filter",
                        "leasehold.plugins.openstack-floatingips.enabled=true");
        assertThat(plan.omissions()).isEmpty();
        assertThat(plan.obstacles()).isEmpty();
    }

    @Test
    void ignored_settings_are_listed_and_secrets_are_masked() {
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
        assertThat(plan.omissions())
                .containsExactly(
                        new ImportMessage("setting DEFAULT.transport_url", "…"),
                        new ImportMessage(
                                "setting enforcement.enabled_filters", "ExternalServiceFilter"),
                        new ImportMessage("setting enforcement.external_service_token", "…"));
    }

    @Test
    void the_maximum_duration_of_a_lease_is_mapped() {
        assertThat(
                        read("""
                        [enforcement]
                        enabled_filters = MaxLeaseDurationFilter
                        max_lease_duration = 86400
                        max_lease_duration_exempt_project_ids = one, two
                        """)
                                .toLeaseholdSettings())
                .containsExactly(
                        "leasehold.authentication.method=keystone",
                        "leasehold.lease.max-duration=86400s",
                        "leasehold.lease.duration-exempt-projects=one,two");
        assertThat(plan.omissions()).isEmpty();
    }

    @Test
    void an_unlimited_duration_needs_no_setting() {
        assertThat(
                        read("""
                        [enforcement]
                        enabled_filters = MaxLeaseDurationFilter
                        max_lease_duration = -1
                        """)
                                .toLeaseholdSettings())
                .containsExactly("leasehold.authentication.method=keystone");
        assertThat(plan.omissions()).isEmpty();
    }

    @Test
    void a_maximum_duration_without_meaning_is_listed() {
        assertThat(
                        read("""
                        [enforcement]
                        enabled_filters = MaxLeaseDurationFilter
                        max_lease_duration = 0
                        """)
                                .toLeaseholdSettings())
                .containsExactly("leasehold.authentication.method=keystone");
        read("[enforcement]\nmax_lease_duration = 60\n");
        assertThat(plan.omissions())
                .containsExactly(
                        new ImportMessage("setting enforcement.max_lease_duration", "0"),
                        new ImportMessage("setting enforcement.max_lease_duration", "60"));
    }

    @Test
    void another_freepool_name_blocks_the_import() {
        read("[nova]\naggregate_freepool_name = pool\n");
        assertThat(plan.obstacles())
                .extracting(ImportMessage::about)
                .containsExactly("setting nova.aggregate_freepool_name");
    }

    @Test
    void colon_and_equals_define_settings_and_passwords_are_masked() {
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
        assertThat(plan.omissions())
                .containsExactly(
                        new ImportMessage("setting database.connection", "…"),
                        new ImportMessage("setting profiler.hmac_keys", "…"),
                        new ImportMessage("setting profiler.backend_url", "…"),
                        new ImportMessage("setting physical:host.on_start", "default"));
    }

    @Test
    void another_freepool_name_in_the_host_section_blocks_the_import() {
        read(
                """
                [physical:host]
                aggregate_freepool_name: pool
                blazar_owner = 'blazar:owner'
                [Nova]
                aggregate_freepool_name = "freepool"
                """);
        assertThat(plan.obstacles())
                .extracting(ImportMessage::about)
                .containsExactly("setting physical:host.aggregate_freepool_name");
    }

    @Test
    void a_malformed_file_is_rejected_without_quoting_the_line() {
        assertThatThrownBy(() -> read("[database]\ngeheim\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("database")
                .hasMessageNotContaining("geheim");
    }

    @Test
    void the_file_provides_the_default_before_end_action() {
        BlazarConfigFile snapshot = read("[physical:host]\nbefore_end = snapshot\n");
        assertThat(snapshot.beforeEnd()).isEqualTo("snapshot");
        assertThat(snapshot.toLeaseholdSettings())
                .containsExactly(
                        "leasehold.authentication.method=keystone",
                        "leasehold.plugins.openstack-hosts.before-end=snapshot");
        assertThat(plan.omissions()).isEmpty();
        assertThat(read("[physical:host]\n").beforeEnd()).isEmpty();
    }

    private BlazarConfigFile read(String text) {
        BlazarConfigFile configuration = BlazarConfigFile.parse(text.lines().toList());
        configuration.addFindings(plan);
        return configuration;
    }
}
