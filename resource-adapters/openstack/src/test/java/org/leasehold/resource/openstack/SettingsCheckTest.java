package org.leasehold.resource.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.resource.CloudCheck;
import org.leasehold.resource.CloudCheck.Misconfigured;
import org.leasehold.resource.CloudCheck.Passed;
import org.leasehold.resource.CloudCheck.Unanswered;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.openstack.FakeOpenStack.Said;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** The errors that would make the first lease fail, which each plug-in finds at the start. */
class SettingsCheckTest {

    private static final String HOSTS = "openstack-hosts";
    private static final String TENANT = "filter_tenant_id";
    private static final String UNKNOWN_PROJECT = "0".repeat(32);

    private final FakeOpenStack small = new FakeOpenStack(new SettableClock());

    @AfterEach
    void close() {
        small.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                HOSTS,
                "openstack-instances",
                "openstack-flavors",
                "openstack-floatingips",
                "openstack-networks",
                "openstack-volumes",
                "openstack-servers",
                "openstack-stacks"
            })
    void a_wrong_password_is_a_misconfiguration_that_names_the_settings(String plugin) {
        CloudCheck check = check(plugin, Map.of("password", "a wrong one of " + plugin));

        assertThat(check)
                .isInstanceOfSatisfying(
                        Misconfigured.class,
                        wrong -> {
                            assertThat(wrong.reason())
                                    .contains("refuses the engine's login (401)")
                                    .contains("leasehold.openstack.user, .password, .project")
                                    .doesNotContain("a wrong one", small.settings().get("auth-url"))
                                    .doesNotContain("user is " + FakeOpenStack.USER);
                            assertThat(wrong.cause()).doesNotContain("a wrong one");
                        });
    }

    @ParameterizedTest
    @CsvSource({
        "openstack-hosts, compute",
        "openstack-instances, compute",
        "openstack-flavors, compute",
        "openstack-floatingips, network",
        "openstack-networks, network",
        "openstack-volumes, volumev3",
        "openstack-volumes, compute",
        "openstack-servers, compute",
        "openstack-stacks, orchestration",
        "openstack-stacks, network",
        "openstack-stacks, compute"
    })
    void a_service_missing_from_the_catalog_is_a_misconfiguration(String plugin, String service) {
        aggregates(Map.of());
        assertThat(check(plugin, Map.of())).isInstanceOf(Passed.class);

        small.lacks(service);

        assertThat(check(plugin, Map.of()))
                .isInstanceOfSatisfying(
                        Misconfigured.class,
                        wrong ->
                                assertThat(wrong.reason())
                                        .contains("catalog has no")
                                        .contains("leasehold.openstack.region"));
    }

    @Test
    void a_check_finds_a_service_that_is_added_to_the_catalog() {
        small.lacks("orchestration");
        try (ResourcePlugin stacks = plugin("openstack-stacks", Map.of())) {
            assertThat(stacks.check()).isInstanceOf(Misconfigured.class);
            small.lacks("nothing");
            assertThat(stacks.check()).isInstanceOf(Passed.class);
        }
    }

    @Test
    void a_rejected_login_stays_a_misconfiguration_during_the_login_backoff() {
        try (ResourcePlugin hosts = plugin(HOSTS, Map.of("password", "still a wrong one"))) {
            CloudCheck refused = hosts.check();
            assertThat(refused).isInstanceOf(Misconfigured.class);
            assertThat(hosts.check()).isEqualTo(refused);
        }
    }

    @Test
    void a_passed_check_reports_the_service_addresses() {
        aggregates(Map.of());

        assertThat(check("openstack-instances", Map.of()))
                .isInstanceOfSatisfying(
                        Passed.class,
                        passed ->
                                assertThat(passed.services())
                                        .containsOnlyKeys("compute", "placement")
                                        .hasEntrySatisfying(
                                                "compute",
                                                found ->
                                                        assertThat(found.address())
                                                                .startsWith("http")));
    }

    @Test
    void a_check_is_unanswered_when_keystone_answers_503() {
        small.keystone(request -> Said.nothing(503));

        assertThat(check(HOSTS, Map.of()))
                .isEqualTo(
                        new Unanswered(
                                "Keystone does not answer",
                                "Keystone answered 503 to the engine's login. Its user is"
                                        + " leasehold"));
    }

    @Test
    void an_auth_url_without_keystone_is_a_misconfiguration() {
        small.keystone(request -> Said.nothing(404));

        assertThat(check(HOSTS, Map.of()))
                .isInstanceOfSatisfying(
                        Misconfigured.class,
                        wrong ->
                                assertThat(wrong.reason())
                                        .contains("leasehold.openstack.auth-url"));
    }

    @Test
    void a_missing_role_is_a_misconfiguration_and_a_nova_error_is_unanswered() {
        small.answer("compute", request -> Said.nothing(403));
        assertThat(check(HOSTS, Map.of()))
                .isInstanceOfSatisfying(
                        Misconfigured.class,
                        wrong -> assertThat(wrong.reason()).contains("(403)", "role admin"));

        for (int status : new int[] {503, 404}) {
            small.answer("compute", request -> Said.nothing(status));
            assertThat(check(HOSTS, Map.of())).isInstanceOf(Unanswered.class);
        }
    }

    @Test
    void tenancy_isolation_conflicts_with_a_freepool_for_filter_isolation() {
        aggregates(Map.of());

        assertMisfit("tenancy", "lacks filter_tenant_id");
        assertThat(check(HOSTS, Map.of("isolation", "filter"))).isInstanceOf(Passed.class);
    }

    @Test
    void filter_isolation_conflicts_with_a_freepool_for_tenancy_isolation() {
        aggregates(Map.of(TENANT, UNKNOWN_PROJECT, "trait:CUSTOM_RESERVABLE", "required"));

        assertMisfit("filter", "has filter_tenant_id");
        assertThat(check(HOSTS, Map.of("isolation", "tenancy"))).isInstanceOf(Passed.class);
    }

    private void assertMisfit(String isolation, String why) {
        assertThat(check(HOSTS, Map.of("isolation", isolation)))
                .isInstanceOfSatisfying(
                        Misconfigured.class,
                        wrong ->
                                assertThat(wrong.reason())
                                        .startsWith(
                                                "leasehold.plugins.openstack-hosts.isolation is "
                                                        + isolation
                                                        + ", but the aggregate freepool "
                                                        + why));
    }

    @Test
    void both_isolation_modes_accept_a_freepool_that_is_open_to_a_project() {
        aggregates(Map.of(TENANT, "p-guest"));

        assertThat(check(HOSTS, Map.of("isolation", "filter"))).isInstanceOf(Passed.class);
        assertThat(check(HOSTS, Map.of("isolation", "tenancy"))).isInstanceOf(Passed.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"filter", "tenancy"})
    void an_empty_freepool_fits_both_modes(String isolation) {
        aggregates(Map.of(), List.of());
        assertThat(check(HOSTS, Map.of("isolation", isolation))).isInstanceOf(Passed.class);

        aggregates(Map.of(TENANT, UNKNOWN_PROJECT), List.of());
        assertThat(check(HOSTS, Map.of("isolation", isolation))).isInstanceOf(Passed.class);
    }

    private void aggregates(Map<String, String> metadata) {
        aggregates(metadata, List.of("compute-1"));
    }

    private void aggregates(Map<String, String> metadata, List<String> hosts) {
        Map<String, ?> pool =
                Map.of("id", 1, "name", "freepool", "metadata", metadata, "hosts", hosts);
        small.answer("compute", request -> Said.json(200, Map.of("aggregates", List.of(pool))));
    }

    private CloudCheck check(String plugin, Map<String, String> more) {
        try (ResourcePlugin made = plugin(plugin, more)) {
            return made.check();
        }
    }

    private ResourcePlugin plugin(String plugin, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(small.settings());
        settings.put("region", "one");
        if (plugin.equals(HOSTS)) {
            settings.put("isolation", "filter");
        }
        settings.putAll(more);
        ResourcePluginProvider provider =
                ServiceLoader.load(ResourcePluginProvider.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(each -> each.name().equals(plugin))
                        .findFirst()
                        .orElseThrow();
        return provider.create(settings);
    }
}
