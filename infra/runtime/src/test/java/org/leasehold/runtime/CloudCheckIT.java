package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.leasehold.resource.openstack.FakeOpenStack;
import org.leasehold.resource.openstack.FakeOpenStack.Said;
import org.leasehold.runtime.Client.Answer;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tests the readiness of an engine whose settings do not fit its cloud. */
@Isolated("reads what this process prints")
@ExtendWith(OutputCaptureExtension.class)
class CloudCheckIT {

    private static final String READINESS = "/actuator/health/readiness";
    private static final String CLOUD = "/components/cloud";

    @TempDir private static Path folder;

    private final FakeOpenStack cloud = new FakeOpenStack(Clock.systemUTC());

    @AfterEach
    void close() {
        cloud.close();
    }

    @Test
    void an_engine_with_a_wrong_password_is_not_ready_and_serves_reads(CapturedOutput output) {
        try (ConfigurableApplicationContext product =
                start("tenancy", Map.of("password", "a wrong one"))) {
            Answer answer = await(product, 503);

            assertThat(answer.body().at(CLOUD + "/status").asString()).isEqualTo("DOWN");
            assertThat(answer.body().at(CLOUD + "/description").asString())
                    .contains("refuses the engine's login (401)", "leasehold.openstack.user");
            assertThat(answer.text()).doesNotContain("a wrong one", FakeOpenStack.USER + " ");
            assertThat(output.getAll())
                    .contains("Not ready. Keystone refuses the engine's login (401)")
                    .doesNotContain("a wrong one");
            client(product).get("/actuator/health/liveness").expect(200);
            as(product, "demo").get("/v1/leases").expect(200);
        }
    }

    @Test
    void an_engine_becomes_ready_after_keystone_accepts_the_login() {
        freepool(Map.of());
        cloud.keystone(request -> Said.nothing(401));
        try (ConfigurableApplicationContext product = start("filter", Map.of())) {
            await(product, 503);

            cloud.keystone(null);

            Answer answer = await(product, 200);
            assertThat(answer.body().at(CLOUD + "/status").asString()).isEqualTo("UP");
        }
    }

    @Test
    void an_engine_with_an_unavailable_keystone_is_ready_and_reports_it() {
        cloud.keystone(request -> Said.nothing(503));
        try (ConfigurableApplicationContext product = start("filter", Map.of())) {
            await(product, 200);
            Await.until(
                    "readiness says why",
                    () ->
                            client(product)
                                    .get(READINESS)
                                    .expect(200)
                                    .at(CLOUD + "/description")
                                    .asString("")
                                    .equals("Keystone does not answer"));
            as(product, "demo").get("/v1/leases").expect(200);
        }
    }

    @Test
    void an_isolation_setting_that_does_not_match_nova_prevents_readiness() {
        freepool(Map.of());
        try (ConfigurableApplicationContext product = start("tenancy", Map.of())) {
            Answer answer = await(product, 503);

            assertThat(answer.body().at(CLOUD + "/description").asString())
                    .contains(
                            "leasehold.plugins.openstack-hosts.isolation is tenancy",
                            "lacks filter_tenant_id");
        }
    }

    @Test
    void an_engine_with_a_nova_that_is_too_old_is_not_ready() {
        freepool(Map.of());
        nova("2.60");
        try (ConfigurableApplicationContext product = start("filter", Map.of())) {
            Answer answer = await(product, 503);

            assertThat(answer.body().at(CLOUD + "/status").asString()).isEqualTo("DOWN");
            assertThat(answer.body().at(CLOUD + "/description").asString())
                    .contains("compute is too old", "microversion 2.60", "need 2.64");
        }
    }

    private void nova(String newest) {
        Map<String, ?> version = Map.of("version", newest, "min_version", "2.1");
        cloud.document("compute", Said.json(200, Map.of("version", version)));
    }

    @Test
    void the_start_logs_the_plugins_and_the_addresses_of_the_cloud(CapturedOutput output) {
        freepool(Map.of());
        nova("2.100");
        try (ConfigurableApplicationContext product = start("filter", Map.of())) {
            Answer answer = await(product, 200);

            assertThat(answer.body().at(CLOUD + "/description").asString())
                    .contains("compute has microversions 2.1 to 2.100, release 2025.1 or 2025.2");
            assertThat(output.getAll())
                    .contains(
                            "physical:host by openstack-hosts",
                            "virtual:instance by openstack-instances",
                            "isolation filter",
                            "Keystone " + cloud.settings().get("auth-url"));
            Await.until(
                    "the log names Nova's address",
                    () -> output.getAll().contains("compute=http://127.0.0.1:"));
            assertThat(output.getAll()).doesNotContain(FakeOpenStack.PASSWORD);
        }
    }

    private void freepool(Map<String, String> metadata) {
        Map<String, ?> pool =
                Map.of(
                        "id",
                        1,
                        "name",
                        "freepool",
                        "metadata",
                        metadata,
                        "hosts",
                        List.of("compute-1"));
        cloud.answer(
                "compute",
                request ->
                        request.path().equals("/os-aggregates")
                                ? Said.json(200, Map.of("aggregates", List.of(pool)))
                                : Said.nothing(404));
    }

    private ConfigurableApplicationContext start(String isolation, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(cloud.settings());
        settings.put("region", "one");
        settings.putAll(more);
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "--server.port=0",
                                "--leasehold.probes.port=0",
                                "--leasehold.database.folder=" + folder,
                                "--leasehold.plugins.openstack-hosts.isolation=" + isolation));
        settings.forEach(
                (name, value) -> arguments.add("--leasehold.openstack." + name + "=" + value));
        SpringApplication application = Leasehold.application();
        application.addInitializers(
                new BeanReplacements(
                        RuntimeConfiguration.microsecondClock(),
                        new PluginGate(),
                        SharedPostgres.of(folder)));
        return application.run(arguments.toArray(String[]::new));
    }

    /** Returns the first response with a status. */
    private static Answer await(ConfigurableApplicationContext product, int status) {
        Answer[] last = new Answer[1];
        Await.until(
                "readiness answers " + status,
                () -> {
                    last[0] = client(product).get(READINESS);
                    return last[0].status() == status
                            && !last[0].text().contains("is being checked");
                });
        return last[0];
    }

    private static Client client(ConfigurableApplicationContext product) {
        return new Client(root(product));
    }

    private static Client as(ConfigurableApplicationContext product, String user) {
        return new Client(root(product), user, Product.passwords(folder).get(user));
    }

    private static String root(ConfigurableApplicationContext product) {
        return "http://127.0.0.1:" + product.getEnvironment().getProperty("local.server.port");
    }
}
