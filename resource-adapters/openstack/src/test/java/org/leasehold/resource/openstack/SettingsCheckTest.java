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
import org.leasehold.resource.openstack.SmallCloud.Said;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** The errors that would make the first lease fail, which each plug-in finds at the start. */
class SettingsCheckTest {

    private static final String HOSTS = "openstack-hosts";
    private static final String TENANT = "filter_tenant_id";
    private static final String NOBODY = "0".repeat(32);

    private final SmallCloud small = new SmallCloud(new SetClock());

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
    void a_wrong_password_is_a_fault_of_the_settings_and_names_them(String plugin) {
        CloudCheck check = check(plugin, Map.of("password", "a wrong one of " + plugin));

        assertThat(check)
                .isInstanceOfSatisfying(
                        Misconfigured.class,
                        wrong -> {
                            assertThat(wrong.reason())
                                    .contains("refuses the engine's login (401)")
                                    .contains("leasehold.openstack.user, .password, .project")
                                    .doesNotContain("a wrong one", small.settings().get("auth-url"))
                                    .doesNotContain("user is " + SmallCloud.USER);
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
    void a_service_that_is_not_in_the_catalog_is_one_too(String plugin, String service) {
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
    void a_service_that_comes_into_the_catalog_is_seen() {
        small.lacks("orchestration");
        try (ResourcePlugin stacks = plugin("openstack-stacks", Map.of())) {
            assertThat(stacks.check()).isInstanceOf(Misconfigured.class);
            small.lacks("nothing");
            assertThat(stacks.check()).isInstanceOf(Passed.class);
        }
    }

    @Test
    void a_refused_login_is_a_fault_of_the_settings_during_its_pause_too() {
        try (ResourcePlugin hosts = plugin(HOSTS, Map.of("password", "still a wrong one"))) {
            CloudCheck refused = hosts.check();
            assertThat(refused).isInstanceOf(Misconfigured.class);
            assertThat(hosts.check()).isEqualTo(refused);
        }
    }

    @Test
    void a_check_that_passes_tells_where_the_services_are() {
        aggregates(Map.of());

        assertThat(check("openstack-instances", Map.of()))
                .isInstanceOfSatisfying(
                        Passed.class,
                        passed ->
                                assertThat(passed.services())
                                        .containsOnlyKeys("compute")
                                        .hasEntrySatisfying(
                                                "compute",
                                                url -> assertThat(url).startsWith("http")));
    }

    @Test
    void a_keystone_that_does_not_answer_is_no_fault_of_the_settings() {
        small.keystone(request -> Said.nothing(503));

        assertThat(check(HOSTS, Map.of()))
                .isEqualTo(
                        new Unanswered(
                                "Keystone does not answer",
                                "Keystone answered 503 to the engine's login. Its user is"
                                        + " leasehold"));
    }

    @Test
    void what_is_no_keystone_is_a_fault_of_its_address() {
        small.keystone(request -> Said.nothing(404));

        assertThat(check(HOSTS, Map.of()))
                .isInstanceOfSatisfying(
                        Misconfigured.class,
                        wrong ->
                                assertThat(wrong.reason())
                                        .contains("leasehold.openstack.auth-url"));
    }

    @Test
    void a_user_without_the_role_is_a_fault_and_a_nova_that_is_away_is_none() {
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
    void tenancy_does_not_fit_a_freepool_of_the_filter() {
        aggregates(Map.of());

        assertMisfit("tenancy", "lacks filter_tenant_id");
        assertThat(check(HOSTS, Map.of("isolation", "filter"))).isInstanceOf(Passed.class);
    }

    @Test
    void the_filter_does_not_fit_a_freepool_of_tenancy() {
        aggregates(Map.of(TENANT, NOBODY, "trait:CUSTOM_RESERVABLE", "required"));

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
    void operators_may_let_others_onto_the_freepool_in_both_modes() {
        aggregates(Map.of(TENANT, "p-guest"));

        assertThat(check(HOSTS, Map.of("isolation", "filter"))).isInstanceOf(Passed.class);
        assertThat(check(HOSTS, Map.of("isolation", "tenancy"))).isInstanceOf(Passed.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"filter", "tenancy"})
    void an_empty_freepool_fits_both_modes(String isolation) {
        aggregates(Map.of(), List.of());
        assertThat(check(HOSTS, Map.of("isolation", isolation))).isInstanceOf(Passed.class);

        aggregates(Map.of(TENANT, NOBODY), List.of());
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
