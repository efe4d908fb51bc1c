package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.resource.openstack.FakeOpenStack;
import org.leasehold.resource.openstack.FakeOpenStack.Asked;
import org.leasehold.resource.openstack.FakeOpenStack.Said;
import org.leasehold.resource.openstack.compute.FakeNova;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Tests that the command reports the rights of the engine's user before an engine needs them. */
class CheckCloudCommandTest {

    private static final String DENIED =
            "refuses the engine's user (403): give it the role admin in"
                    + " leasehold.openstack.project";
    private static final Map<String, ?> NETWORK =
            Map.of("id", "n-1", "provider:network_type", "vxlan");

    @TempDir private Path folder;

    private final FakeNova nova = new FakeNova(List.of("compute-1"));
    private final FakeOpenStack cloud = nova.keystone();
    private final List<String> networks = new ArrayList<>();
    private Map<String, ?> shownNetwork = NETWORK;

    CheckCloudCommandTest() {
        cloud.answer("identity", request -> Said.json(200, Map.of("events", List.of())));
        cloud.answer("network", this::network);
        cloud.answer("volumev3", request -> Said.json(200, Map.of()));
        cloud.answer("orchestration", request -> Said.json(200, Map.of("stacks", List.of())));
    }

    @AfterEach
    void close() {
        nova.close();
    }

    @Test
    void a_check_with_all_rights_succeeds_and_leaves_no_objects_in_the_cloud() {
        Ran ran = run();

        assertThat(ran.lines())
                .allMatch(line -> line.matches("ok .*|found .*") || line.endsWith("failed"));
        assertThat(ran.lines().getLast()).matches("[3-9]\\d ok, 0 failed");
        assertThat(ran.status()).isZero();
        assertThat(ran.text())
                .contains("physical:host: compute: make, change and delete an aggregate")
                .contains("keystone: identity: read what was revoked");
        assertThat(cloud.asked("compute"))
                .anyMatch(request -> isOf(request, "POST", "/flavors"))
                .anyMatch(request -> isOf(request, "POST", "/os-aggregates"));
        assertThatNothingIsLeft();
    }

    @Test
    void the_check_does_not_modify_a_host_in_the_freepool() {
        nova.group("freepool", null, "compute-1");

        assertThat(run().status()).isZero();

        assertThat(cloud.asked("compute"))
                .filteredOn(request -> !request.method().equals("GET"))
                .extracting(request -> request.body().toString())
                .noneMatch(body -> body.contains("compute-1"));
    }

    @ParameterizedTest
    @CsvSource({
        "identity, GET, /OS-REVOKE/events.*, keystone: identity: read what was revoked",
        "identity, GET, /projects/.*, keystone: identity: read projects",
        "identity, GET, /OS-TRUST/trusts.*, keystone: identity: list the trusts",
        "compute, GET, /os-hypervisors.*, physical:host: compute: list hypervisors",
        "compute, GET, /servers/detail.*, virtual:server: compute: list the servers",
        "compute, GET, /os-migrations.*, virtual:instance: compute: list the migrations",
        "compute, GET, /os-availability-zone.*, virtual:server: compute: list availability zones",
        "compute, POST, /os-aggregates, physical:host: compute: make",
        "compute, POST, /os-aggregates/.*, physical:host: compute: make",
        "compute, POST, /flavors, virtual:instance: compute: make and delete a flavor",
        "compute, POST, /flavors/.*/os-extra_specs, flavor:instance: compute: make and delete a",
        "compute, POST, /flavors/.*/action, flavor:instance: compute: make and delete a flavor",
        "compute, GET, /os-server-groups.*, virtual:instance: compute: list the server groups",
        "image, GET, /v2/images.*, physical:host: image: list images",
        "placement, GET, /resource_providers, physical:host: placement: list providers",
        "placement, PUT, /resource_classes/.*, virtual:instance: placement: make and delete",
        "placement, PUT, /traits/.*, virtual:instance: placement: make and delete",
        "placement, POST, /resource_providers, virtual:instance: placement: make and delete",
        "placement, POST, /resource_providers/.*, flavor:instance: placement: make and delete",
        "network, GET, /v2.0/networks.*external.*, virtual:floatingip: network: see external"
                + " networks",
        "network, GET, /v2.0/floatingips.*, virtual:floatingip: network: list floating IPs",
        "network, POST, /v2.0/networks, virtual:network: network: make a network",
        "volumev3, GET, /scheduler-stats.*, virtual:volume: block-storage: see how much room",
        "volumev3, GET, /types.*, virtual:volume: block-storage: list volume types",
        "volumev3, GET, /volumes.*, virtual:volume: block-storage: list the volumes",
        "orchestration, GET, .*/stacks.*, virtual:stack: orchestration: list the stacks"
    })
    void a_missing_right_fails_the_check_with_a_remedy_and_leaves_no_objects(
            String service, String method, String path, String line) {
        cloud.forbid(
                request ->
                        request.service().equals(service)
                                && request.method().equals(method)
                                && request.path().matches(path));

        Ran ran = run();

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.failed()).anyMatch(each -> each.contains(line) && each.contains(DENIED));
        assertThat(ran.text()).doesNotContain(FakeOpenStack.PASSWORD);
        assertThatNothingIsLeft();
    }

    @Test
    void a_lost_response_fails_the_check_and_leaves_no_objects() {
        Predicate<Asked> made = request -> isOf(request, "POST", "/os-aggregates");
        cloud.losesAnswers(made);

        Ran ran = run();

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.failed()).allMatch(line -> line.contains("an aggregate")).hasSize(3);
        assertThatNothingIsLeft();
    }

    @Test
    void a_failed_deletion_is_reported_with_the_name_of_the_object() {
        cloud.forbid(request -> request.method().equals("DELETE") && isNova(request));

        Ran ran = run();

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.failed())
                .anyMatch(
                        line ->
                                line.contains("an aggregate")
                                        && line.contains(
                                                "; if the cloud still has leasehold-check-"));
        assertThat(nova.groupNames()).allMatch(name -> ran.text().contains(name)).isNotEmpty();
    }

    @Test
    void a_user_without_admin_rights_in_neutron_fails_the_check() {
        shownNetwork = Map.of("id", "n-1");

        Ran ran = run();

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.failed())
                .anyMatch(line -> line.contains("virtual:network: network: make a network"))
                .anyMatch(line -> line.contains("virtual:floatingip: network: see external"));
        assertThatNothingIsLeft();
    }

    @Test
    void a_wrong_password_fails_the_check_without_calls_to_nova() {
        Ran ran = run("--leasehold.openstack.password=a wrong one of the command");

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.failed())
                .isNotEmpty()
                .allMatch(line -> line.contains("Keystone refuses the engine's login (401)"));
        assertThat(ran.text()).doesNotContain("a wrong one of the command");
        assertThat(cloud.asked("compute")).isEmpty();
    }

    @Test
    void the_check_prints_the_address_and_microversions_of_each_service_once() {
        nova("2.100");

        Ran ran = run("--leasehold.plugins.openstack-hosts.isolation=tenancy");

        assertThat(ran.status()).isZero();
        assertThat(ran.text())
                .containsOnlyOnce("found   compute: http://127.0.0.1:")
                .contains("/compute (microversions 2.1 to 2.100, release 2025.1 or 2025.2)")
                .contains("/volumev3 (microversions unknown)")
                .containsPattern("found   network: \\S+/network\\R")
                .containsOnlyOnce("advice  Nova 2024.1 and later has no AvailabilityZoneFilter");
    }

    @Test
    void a_nova_that_is_too_old_for_a_plugin_fails_the_check() {
        nova("2.72");

        Ran ran = run();

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.failed())
                .hasSize(2)
                .anyMatch(line -> line.contains("virtual:server: settings and login: The cloud's"))
                .allMatch(line -> line.contains("compute is too old: it has microversion 2.72"));
    }

    private void nova(String newest) {
        Map<String, ?> version = Map.of("version", newest, "min_version", "2.1");
        cloud.document("compute", Said.json(200, Map.of("version", version)));
    }

    @Test
    void a_disabled_plugin_is_not_checked() {
        cloud.forbid(request -> request.service().equals("orchestration"));

        assertThat(run("--leasehold.plugins.openstack-stacks.enabled=false").status()).isZero();
    }

    @Test
    void a_check_without_a_real_cloud_fails() {
        Ran ran = Ran.of(List.of("--leasehold.database.folder=" + folder.resolve("none")));

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.text()).contains("The settings name no real cloud");
        assertThat(folder).isEmptyDirectory();
    }

    /** Runs the command with each setting once: a repeated one would be a list. */
    private Ran run(String... more) {
        Map<String, String> settings = new TreeMap<>();
        settings.put("--leasehold.database.folder", folder.resolve("none").toString());
        settings.put("--leasehold.authentication.method", "keystone");
        settings.put("--leasehold.plugins.openstack-hosts.isolation", "filter");
        for (String plugin : List.of("floatingips", "networks", "volumes", "servers", "stacks")) {
            settings.put("--leasehold.plugins.openstack-" + plugin + ".enabled", "true");
        }
        nova.settings()
                .forEach((name, value) -> settings.put("--leasehold.openstack." + name, value));
        settings.put("--leasehold.openstack.region", "one");
        for (String each : more) {
            settings.put(each.split("=", 2)[0], each.split("=", 2)[1]);
        }
        Ran ran =
                Ran.of(
                        settings.entrySet().stream()
                                .map(each -> each.getKey() + "=" + each.getValue())
                                .toList());
        assertThat(folder).isEmptyDirectory();
        return ran;
    }

    private void assertThatNothingIsLeft() {
        assertThat(nova.groupNames()).isEmpty();
        assertThat(nova.flavors()).isEmpty();
        assertThat(nova.serverGroups()).isEmpty();
        assertThat(nova.placement().names()).containsExactly("compute-1");
        assertThat(nova.placement().classes()).isEmpty();
        assertThat(nova.placement().traits()).isEmpty();
        assertThat(networks).isEmpty();
    }

    private synchronized Said network(Asked request) {
        switch (request.method()) {
            case "POST" -> {
                networks.add(request.body().at("/network/name").asString());
                return Said.json(201, Map.of("network", shownNetwork));
            }
            case "DELETE" -> {
                networks.clear();
                return Said.nothing(204);
            }
            default -> {
                boolean isThere = request.path().contains("external") || !networks.isEmpty();
                return Said.json(
                        200, Map.of("networks", isThere ? List.of(shownNetwork) : List.of()));
            }
        }
    }

    private static boolean isNova(Asked request) {
        return request.service().equals("compute");
    }

    private static boolean isOf(Asked request, String method, String path) {
        return isNova(request) && request.method().equals(method) && request.path().equals(path);
    }

    /** The output of the command, and its exit status. */
    private record Ran(int status, String text) {

        static Ran of(List<String> arguments) {
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            int status =
                    CheckCloudCommand.run(
                            arguments.toArray(String[]::new),
                            new PrintStream(printed, true, StandardCharsets.UTF_8));
            return new Ran(status, printed.toString(StandardCharsets.UTF_8));
        }

        List<String> lines() {
            return text.lines().toList();
        }

        List<String> failed() {
            return text.lines().filter(line -> line.startsWith("FAILED  ")).toList();
        }
    }
}
