package org.leasehold.resource.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.leasehold.resource.CloudCheck;
import org.leasehold.resource.CloudCheck.Misconfigured;
import org.leasehold.resource.CloudCheck.Passed;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.openstack.FakeOpenStack.Said;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** Tests that each plug-in reads the microversions of services, and rejects old services. */
class ServiceVersionsTest {

    private static final String HOSTS = "openstack-hosts";
    private static final String INSTANCES = "openstack-instances";
    private static final String UNKNOWN = "microversions unknown";

    private final FakeOpenStack cloud = new FakeOpenStack(new SettableClock());

    @BeforeEach
    void start() {
        cloud.answer("compute", request -> Said.json(200, Map.of("aggregates", List.of())));
        nova("2.100");
        placement("1.39");
        cinder("3.71");
    }

    @AfterEach
    void close() {
        cloud.close();
    }

    @Test
    void a_passed_check_reports_microversions_and_the_release_of_nova() {
        assertThat(versions(HOSTS))
                .containsEntry("compute", "microversions 2.1 to 2.100, release 2025.1 or 2025.2")
                .containsEntry("placement", "microversions 1.0 to 1.39");
        assertThat(versions("openstack-volumes"))
                .containsEntry("block-storage", "microversions 3.0 to 3.71");
        assertThat(versions("openstack-networks")).containsExactly(Map.entry("network", ""));
    }

    @Test
    void a_release_after_the_last_known_one_passes_as_newer() {
        nova("2.110");

        assertThat(versions(INSTANCES))
                .containsEntry("compute", "microversions 2.1 to 2.110, release newer than 2026.1");
    }

    @ParameterizedTest
    @CsvSource({
        "openstack-hosts, compute, 2.42, 2.53",
        "openstack-instances, compute, 2.60, 2.64",
        "openstack-instances, placement, 1.17, 1.29",
        "openstack-flavors, compute, 2.60, 2.64",
        "openstack-flavors, placement, 1.17, 1.29",
        "openstack-servers, compute, 2.72, 2.77",
        "openstack-stacks, compute, 2.60, 2.61",
        "openstack-volumes, compute, 2.72, 2.79",
        "openstack-volumes, block-storage, 3.27, 3.42"
    })
    void a_service_below_the_necessary_microversion_is_a_misconfiguration(
            String plugin, String service, String found, String needed) {
        versionOf(service, found);

        assertThat(check(plugin))
                .isInstanceOfSatisfying(
                        Misconfigured.class,
                        old ->
                                assertThat(old.reason())
                                        .startsWith(
                                                "The cloud's %s is too old: it has microversion %s, and plug-ins need %s. "
                                                        .formatted(service, found, needed)));

        versionOf(service, needed);
        assertThat(check(plugin)).isInstanceOf(Passed.class);
    }

    @Test
    void hosts_accept_a_placement_without_traits() {
        placement("1.0");

        assertThat(versions(HOSTS)).containsEntry("placement", "microversions 1.0 to 1.0");
    }

    @Test
    void instances_accept_a_cloud_without_placement() {
        cloud.lacks("placement");

        assertThat(versions(INSTANCES)).containsOnlyKeys("compute");
    }

    static Stream<Said> unusableDocuments() {
        return Stream.of(
                Said.nothing(404),
                Said.nothing(403),
                Said.nothing(503),
                Said.nothing(200),
                new Said(200, "text/html", "<html>Welcome</html>"),
                Said.json(200, List.of("2.1")),
                Said.json(200, Map.of("versions", List.of())),
                Said.json(200, Map.of("versions", "none")),
                Said.json(200, Map.of("version", Map.of("id", "v2", "version", ""))),
                Said.json(200, Map.of("version", api("version", "latest", "2.1"))),
                Said.json(200, Map.of("version", api("version", "2.100", ""))));
    }

    @ParameterizedTest
    @MethodSource("unusableDocuments")
    void a_service_without_a_version_document_passes_as_unknown(Said document) {
        cloud.document("compute", document);
        cloud.document("placement", document);
        cloud.document("volumev3", document);

        assertThat(versions(INSTANCES))
                .containsOnly(Map.entry("compute", UNKNOWN), Map.entry("placement", UNKNOWN));
        assertThat(versions("openstack-volumes"))
                .containsOnly(Map.entry("block-storage", UNKNOWN), Map.entry("compute", UNKNOWN));
        assertThat(advice("tenancy")).isEmpty();
    }

    @Test
    void the_newest_api_of_a_list_counts() {
        List<Map<String, String>> apis =
                List.of(
                        api("version", "", ""),
                        api("version", "2.90", "2.1"),
                        api("version", "", ""));
        cloud.document("compute", Said.json(300, Map.of("versions", apis)));

        assertThat(versions(INSTANCES))
                .containsEntry("compute", "microversions 2.1 to 2.90, release Xena or Yoga");
    }

    @Test
    void tenancy_advises_a_zone_of_ordinary_hosts_for_nova_without_a_zone_filter() {
        nova("2.96");
        assertThat(advice("tenancy"))
                .singleElement()
                .asString()
                .contains("AvailabilityZoneFilter", "aggregate", "default_schedule_zone");
        assertThat(advice("filter")).isEmpty();

        nova("2.95");
        assertThat(advice("tenancy")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "http://nova:8774/v2.1, http://nova:8774/v2.1/",
        "http://nova:8774/v2.1/0123abc, http://nova:8774/v2.1/",
        "https://cloud/compute/v2.1, https://cloud/compute/v2.1/",
        "http://cinder:8776/v3/0123abc, http://cinder:8776/v3/",
        "https://cloud/placement, https://cloud/placement/",
        "http://placement:8778, http://placement:8778/"
    })
    void the_version_document_is_at_the_address_without_the_project(
            String endpoint, String document) {
        assertThat(RestClient.versionAddress(URI.create(endpoint))).isEqualTo(URI.create(document));
    }

    private void versionOf(String service, String newest) {
        switch (service) {
            case "compute" -> nova(newest);
            case "placement" -> placement(newest);
            default -> cinder(newest);
        }
    }

    private void nova(String newest) {
        cloud.document("compute", Said.json(200, Map.of("version", api("version", newest, "2.1"))));
    }

    private void placement(String newest) {
        Map<String, ?> api = api("max_version", newest, "1.0");
        cloud.document("placement", Said.json(200, Map.of("versions", List.of(api))));
    }

    private void cinder(String newest) {
        Map<String, ?> api = api("version", newest, "3.0");
        cloud.document("volumev3", Said.json(200, Map.of("versions", List.of(api))));
    }

    private static Map<String, String> api(String field, String newest, String oldest) {
        return Map.of("id", "v1", field, newest, "min_version", oldest);
    }

    private Map<String, String> versions(String plugin) {
        Map<String, String> versions = new HashMap<>();
        assertThat(check(plugin))
                .isInstanceOfSatisfying(
                        Passed.class,
                        passed ->
                                passed.services()
                                        .forEach(
                                                (type, found) ->
                                                        versions.put(type, found.versions())));
        return versions;
    }

    private List<String> advice(String isolation) {
        return check(HOSTS, isolation) instanceof Passed(var services, var advice)
                ? advice
                : List.of("the check did not pass");
    }

    private CloudCheck check(String plugin) {
        return check(plugin, "filter");
    }

    private CloudCheck check(String plugin, String isolation) {
        Map<String, String> settings = new HashMap<>(cloud.settings());
        settings.put("region", "one");
        if (plugin.equals(HOSTS)) {
            settings.put("isolation", isolation);
        }
        ResourcePluginProvider provider =
                ServiceLoader.load(ResourcePluginProvider.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(each -> each.name().equals(plugin))
                        .findFirst()
                        .orElseThrow();
        try (ResourcePlugin made = provider.create(settings)) {
            return made.check();
        }
    }
}
