package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.resource.simulator.BehaviorRule;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.resource.simulator.stack.SimulatedStack;
import org.leasehold.resource.simulator.stack.SimulatedStack.State;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.DemoProject.Lease;
import org.leasehold.vocabulary.ProjectId;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Tests the lifecycle of leases of stacks, from their templates to the clean-up in the cloud. */
class StackLifecycleIT {

    private static final String KIND = "virtual:stack";
    private static final String NETWORK = "8d8bbbf2-2e0c-4b1c-9f4a-7d2a5f2f2f01";

    @TempDir private static Path folder;
    private static Product product;
    private static DemoProject tenant;

    @BeforeAll
    static void start() {
        product = Product.start(folder);
        tenant = new DemoProject(product);
    }

    @AfterAll
    static void verifyAndStop() {
        Await.until("the processes have followed", () -> product.unfollowed() == 0);
        assertThat(product.verify()).isEmpty();
        product.close();
    }

    @Test
    void a_stack_lease_holds_all_resources_and_the_end_releases_them() {
        enrol("virtual:server", "east");
        JsonNode accepted =
                tenant.askNow(
                                wish(
                                        Map.of(
                                                "web",
                                                server("m1.xlarge", "east"),
                                                "disk",
                                                volume("silver", 2_500),
                                                "address",
                                                address())))
                        .expect(201)
                        .path("lease");
        Lease lease = DemoProject.of(accepted);
        JsonNode parts = accepted.at("/reservations/0/reservations");
        assertThat(parts.valueStream().map(part -> part.path("resource_type").asString()))
                .containsExactlyInAnyOrder(
                        "virtual:server", "virtual:volume", "virtual:floatingip");
        tenant.awaitStatus(lease, "ACTIVE");
        SimulatedStack stack = stackOf(lease).orElseThrow();
        assertThat(stack.resources()).containsOnlyKeys("web", "disk", "address");
        JsonNode web = nested(lease, "web");
        assertThat(web.path("status").asString()).isEqualTo("active");
        assertThat(web.path("cloud_id").asString())
                .isEqualTo(String.valueOf(stack.resources().get("web")));
        assertThat(web.path("availability_zone").asString()).isEqualTo("east");

        // Others may have the rest of its volumes' type, and no more.
        assertThat(tenant.askNow(leasedVolume(1_501)).expect(409).toString())
                .contains("Not enough volumes available");
        Lease beside = DemoProject.of(tenant.askNow(leasedVolume(1_500)).expect(201).path("lease"));
        Map<String, Object> larger =
                Map.of(
                        "web",
                        server("m1.xlarge", "east"),
                        "second",
                        server("m1.xlarge", "east"),
                        "disk",
                        volume("silver", 2_500));
        assertThat(
                        change(
                                        lease,
                                        Map.of(
                                                "web",
                                                server("m1.xlarge", "east"),
                                                "disk",
                                                volume("silver", 2_501)))
                                .expect(409)
                                .toString())
                .contains("Not enough volumes available");

        change(lease, larger).expect(200);
        Await.until(
                "it has changed",
                () ->
                        stackOf(lease).orElseThrow().resources().containsKey("second")
                                && tenant.status(lease).equals("ACTIVE"));
        assertThat(stackOf(lease).orElseThrow().id()).isEqualTo(stack.id());
        Await.until(
                "its new part is called what the cloud calls it",
                () ->
                        nested(lease, "second")
                                .path("cloud_id")
                                .asString("")
                                .equals(String.valueOf(resource(lease, "second"))));
        assertThat(stackOf(lease).orElseThrow().resources()).doesNotContainKey("address");

        tenant.delete(beside);
        tenant.awaitStatus(beside, "gone");
        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");
        assertThat(stackOf(lease)).isEmpty();
        Lease after = DemoProject.of(tenant.askNow(leasedVolume(4_000)).expect(201).path("lease"));
        tenant.delete(after);
        tenant.awaitStatus(after, "gone");
    }

    @Test
    void a_stack_joins_an_active_lease_and_gets_an_availability_zone() {
        Lease lease = tenant.leaseNow(1, "");
        tenant.awaitStatus(lease, "ACTIVE");
        Map<String, Object> server =
                Map.of("type", "OS::Nova::Server", "properties", Map.of("flavor", "m1.tiny"));
        Map<String, Object> parameters =
                Map.of("template", template(Map.of("web", server, "disk", volume("gold", 1))));

        JsonNode joined =
                product.as("demo")
                        .patch(
                                "/api/leases/" + lease.id(),
                                Map.of(
                                        "further",
                                        List.of(Map.of("kind", KIND, "parameters", parameters))))
                        .expect(200);

        tenant.awaitStatus(lease, "ACTIVE");
        String reservation = joined.at("/reservations/1/id").asString();
        SimulatedStack stack =
                product.cloud().stacks().stream()
                        .filter(each -> reservation.equals(String.valueOf(each.reservation())))
                        .findFirst()
                        .orElseThrow();
        assertThat(stack.resources()).containsOnlyKeys("web", "disk");
        assertThat(stack.request()).contains("availability_zone");
        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");
        assertThat(product.cloud().stacks()).doesNotContain(stack);
    }

    @Test
    void reservations_start_in_the_order_of_their_kinds() {
        JsonNode created = product.as("demo").post("/api/leases", severalKinds()).expect(201);
        Lease lease = DemoProject.of(created);
        tenant.awaitStatus(lease, "ACTIVE");
        List<String> started = kindsOf(created, lease, "ReservationActivated");
        assertThat(started.subList(0, 3))
                .containsExactlyInAnyOrder("physical:host", "virtual:network", "virtual:volume");
        assertThat(started.subList(3, 5)).containsExactly("virtual:floatingip", KIND);

        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");

        assertThat(kindsOf(created, lease, "ReservationReleased")).hasSize(5);
        assertThat(product.cloud().networks()).isEmpty();
    }

    @Test
    void a_failed_start_keeps_what_runs_until_an_operator_retries_it() {
        failStartsOfNetworks();
        JsonNode created = product.as("demo").post("/api/leases", severalKinds()).expect(201);
        Lease lease = DemoProject.of(created);
        tenant.awaitStatus(lease, "ERROR");
        Await.until(
                "the others have started",
                () -> kindsOf(created, lease, "ReservationActivated").size() == 2);
        assertThat(kindsOf(created, lease, "ReservationActivated"))
                .containsExactlyInAnyOrder("physical:host", "virtual:volume");
        JsonNode failed = product.as("demo").get("/api/leases/" + lease.id()).expect(200);
        assertThat(failed.path("status").asString()).isEqualTo("error");
        assertThat(failed.at("/reservations/0/status").asString()).isEqualTo("inactive");

        product.cloud().clearBehaviorRules();
        product.as("admin")
                .post("/api/operations/leases/" + lease.id() + "/retry", Map.of())
                .expect(204);

        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(kindsOf(created, lease, "ReservationActivated").subList(2, 5))
                .containsExactly("virtual:network", "virtual:floatingip", KIND);
        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");
    }

    @Test
    void a_failed_start_releases_the_lease_if_the_request_says_so() {
        failStartsOfNetworks();
        Map<String, Object> request = new HashMap<>(severalKinds());
        request.put("on_failure", "release");
        JsonNode created = product.as("demo").post("/api/leases", request).expect(201);
        Lease lease = DemoProject.of(created);

        tenant.awaitStatus(lease, "TERMINATED");

        product.cloud().clearBehaviorRules();
        JsonNode ended = product.as("demo").get("/api/leases/" + lease.id()).expect(200);
        assertThat(ended.path("status").asString()).isEqualTo("ended");
        assertThat(ended.path("explanation").asString()).contains("could not be started");
        assertThat(tenant.event(lease, "LeaseEnded").orElseThrow().at("/details/cause").asString())
                .isEqualTo("START_FAILED");
        assertThat(kindsOf(created, lease, "ReservationReleased")).hasSize(5);
        assertThat(product.cloud().networks()).isEmpty();
        assertThat(stackOf(lease)).isEmpty();
        assertThat(tenant.hostsOf(lease)).isEmpty();
    }

    private static void failStartsOfNetworks() {
        product.cloud()
                .addBehaviorRule(
                        BehaviorRule.failing("start.create_network", InjectedFault.BROKEN));
    }

    /** Returns the kinds of the reservations with events of a type, in the order of the events. */
    private static List<String> kindsOf(JsonNode created, Lease lease, String type) {
        Map<String, String> kinds = new HashMap<>();
        created.path("reservations")
                .forEach(
                        each ->
                                kinds.put(
                                        each.path("id").asString(), each.path("kind").asString()));
        return tenant.history(lease).stream()
                .filter(event -> event.path("type").asString().equals(type))
                .map(event -> event.findValue("reservationId").asString())
                .map(id -> kinds.getOrDefault(id, id))
                .toList();
    }

    /** Returns a request for reservations of several kinds, the last to start first. */
    private static Map<String, Object> severalKinds() {
        Map<String, Object> request = new HashMap<>();
        request.put("name", "laboratory");
        request.put("end", product.now().plus(Duration.ofHours(5)).toString());
        request.put(
                "reservations",
                List.of(
                        part(KIND, Map.of("template", template(Map.of("disk", volume("gold", 1))))),
                        part("virtual:floatingip", Map.of("network_id", NETWORK, "amount", 1)),
                        part("virtual:network", Map.of("network_name", "laboratory")),
                        part("virtual:volume", Map.of("volume_type", "gold", "size", 1)),
                        part("physical:host", Map.of("min", 1, "max", 1))));
        return request;
    }

    private static Map<String, Object> part(String kind, Map<String, ?> parameters) {
        return Map.of("kind", kind, "parameters", parameters);
    }

    @Test
    void hidden_template_parameters_stay_secret_and_unchanged() {
        Map<String, Object> template =
                Map.of(
                        "parameters",
                        Map.of(
                                "key", Map.of("type", "string", "hidden", true),
                                "word", Map.of("type", "string")),
                        "resources",
                        Map.of("word", Map.of("type", "OS::Heat::RandomString")));
        Map<String, Object> wish =
                Map.of(
                        "resource_type",
                        KIND,
                        "template",
                        template,
                        "parameters",
                        Map.of("key", "t0p-s3cret", "word", "old"));
        Lease lease = DemoProject.of(tenant.askNow(wish).expect(201).path("lease"));
        tenant.awaitStatus(lease, "ACTIVE");

        tenant.change(
                        lease,
                        Map.of(
                                "reservations",
                                List.of(
                                        Map.of(
                                                "id",
                                                lease.reservation().toString(),
                                                "parameters",
                                                Map.of("key", "******", "word", "new")))))
                .expect(200);

        Await.until(
                "it has changed", () -> stackOf(lease).orElseThrow().request().contains("\"new\""));
        assertThat(stackOf(lease).orElseThrow().request()).contains("t0p-s3cret");
        for (String path : List.of("/v1/leases/", "/api/leases/")) {
            assertThat(product.as("demo").get(path + lease.id()).expect(200).toString())
                    .contains("******")
                    .doesNotContain("t0p-s3cret");
        }
        assertThat(
                        product.as("demo")
                                .get("/api/leases/" + lease.id() + "/history")
                                .expect(200)
                                .toString())
                .doesNotContain("t0p-s3cret");
        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");
    }

    @Test
    void a_template_with_an_unknown_resource_type_or_flavor_answers_400() {
        Answer refused = tenant.askNow(wish(Map.of("db", Map.of("type", "OS::Trove::Instance"))));

        assertThat(refused.expect(400).toString()).contains("db (OS::Trove::Instance)");
        assertThat(tenant.askNow(wish(Map.of("web", server("m1.none", "nova")))).expect(400))
                .asString()
                .contains("there is no flavor m1.none");
    }

    @Test
    void a_refused_stack_reserves_none_of_the_parts() {
        enrol("virtual:volume", "bronze");
        Map<String, Object> both =
                wish(
                        Map.of(
                                "disk", volume("bronze", 8_000),
                                "more", volume("gold", 1_001)));

        assertThat(tenant.askNow(both).expect(409).toString())
                .contains("Not enough volumes available");

        Lease lease =
                DemoProject.of(
                        tenant.askNow(wish(Map.of("disk", volume("bronze", 10_000))))
                                .expect(201)
                                .path("lease"));
        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");
    }

    @Test
    void a_stack_without_leased_resources_can_be_leased_and_left_suspended() {
        Map<String, Object> wish =
                new HashMap<>(wish(Map.of("word", Map.of("type", "OS::Heat::RandomString"))));
        wish.put("on_end", "suspend");
        Lease lease = DemoProject.of(tenant.askNow(wish).expect(201).path("lease"));
        tenant.awaitStatus(lease, "ACTIVE");
        UUID stack = stackOf(lease).orElseThrow().id();

        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");

        assertThat(stack(stack).state()).isEqualTo(State.SUSPENDED);
        assertThat(stack(stack).reservation()).isNull();
    }

    @Test
    void an_existing_stack_is_suspended_before_the_start_and_after_the_end() {
        UUID id =
                product.cloud()
                        .createStack(
                                "mine",
                                new ProjectId(project()),
                                template(Map.of("web", server("m1.tiny", "nova"))));
        Instant start = product.now().plus(Duration.ofHours(1));
        JsonNode accepted =
                product.as("demo")
                        .post(
                                "/api/leases",
                                Map.of(
                                        "name",
                                        "later",
                                        "start",
                                        start.toString(),
                                        "end",
                                        start.plus(Duration.ofHours(1)).toString(),
                                        "reservations",
                                        List.of(
                                                Map.of(
                                                        "kind",
                                                        KIND,
                                                        "parameters",
                                                        Map.of("stack_id", id.toString())))))
                        .expect(201);
        Lease lease = DemoProject.of(accepted);
        assertThat(accepted.at("/reservations/0/reservations/0/kind").asString())
                .isEqualTo("virtual:server");
        assertThat(accepted.at("/reservations/0/reservations/0/status").asString())
                .isEqualTo("inactive");
        Await.until("it is suspended", () -> stack(id).state() == State.SUSPENDED);

        tenant.change(lease, Map.of("start_date", "now")).expect(200);
        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(stack(id).state()).isEqualTo(State.COMPLETE);
        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");

        assertThat(stack(id).state()).isEqualTo(State.SUSPENDED);
    }

    @Test
    void availability_of_a_stack_reflects_a_change_of_a_pending_stack() {
        Instant start = product.now().plus(Duration.ofDays(2)).truncatedTo(ChronoUnit.SECONDS);
        Map<String, Object> disk = Map.of("disk", volume("gold", 1_000));
        Lease lease =
                DemoProject.of(
                        product.as("demo")
                                .post(
                                        "/v1/leases",
                                        Map.of(
                                                "name",
                                                "later",
                                                "start_date",
                                                DemoProject.minute(start),
                                                "end_date",
                                                DemoProject.minute(start.plus(Duration.ofHours(2))),
                                                "reservations",
                                                List.of(wish(disk))))
                                .expect(201)
                                .path("lease"));
        Map<String, Object> question =
                Map.of(
                        "kind",
                        KIND,
                        "parameters",
                        Map.of(
                                "template",
                                template(
                                        Map.of(
                                                "web", server("m1.tiny", "nova"),
                                                "disk", volume("gold", 1_000)))),
                        "duration",
                        "PT1H",
                        "earliest",
                        start.toString());
        JsonNode full = product.as("demo").post("/api/availability", question).expect(200);
        assertThat(Instant.parse(full.at("/openings/0/from").asString())).isAfter(start);

        change(lease, Map.of("disk", volume("silver", 1))).expect(200);

        JsonNode free = product.as("demo").post("/api/availability", question).expect(200);
        assertThat(Instant.parse(free.at("/openings/0/from").asString())).isEqualTo(start);
        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");
    }

    private static void enrol(String kind, String name) {
        product.as("admin").post("/api/resources", Map.of("kind", kind, "name", name)).expect(201);
    }

    private static String project() {
        Lease lease = tenant.leaseNow(1, "");
        String project = tenant.show(lease).expect(200).at("/lease/project_id").asString();
        tenant.delete(lease);
        return project;
    }

    private static Map<String, Object> wish(Map<String, ?> resources) {
        return Map.of("resource_type", KIND, "template", template(resources));
    }

    private static Map<String, Object> template(Map<String, ?> resources) {
        return Map.of("heat_template_version", "2018-08-31", "resources", resources);
    }

    private static Map<String, Object> server(String flavor, String zone) {
        return Map.of(
                "type",
                "OS::Nova::Server",
                "properties",
                Map.of("flavor", flavor, "image", "cirros", "availability_zone", zone));
    }

    private static Map<String, Object> volume(String type, int size) {
        return Map.of(
                "type",
                "OS::Cinder::Volume",
                "properties",
                Map.of("size", size, "volume_type", type));
    }

    private static Map<String, Object> address() {
        return Map.of(
                "type",
                "OS::Neutron::FloatingIP",
                "properties",
                Map.of("floating_network", NETWORK));
    }

    private static Map<String, Object> leasedVolume(int size) {
        return Map.of("resource_type", "virtual:volume", "volume_type", "silver", "size", size);
    }

    private static Answer change(Lease lease, Map<String, ?> resources) {
        return tenant.change(
                lease,
                Map.of(
                        "reservations",
                        List.of(
                                Map.of(
                                        "id",
                                        lease.reservation().toString(),
                                        "template",
                                        template(resources)))));
    }

    private static JsonNode nested(Lease lease, String name) {
        return tenant.show(lease)
                .expect(200)
                .at("/lease/reservations/0/reservations")
                .valueStream()
                .filter(part -> part.path("name").asString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static @Nullable UUID resource(Lease lease, String name) {
        return stackOf(lease).orElseThrow().resources().get(name);
    }

    private static Optional<SimulatedStack> stackOf(Lease lease) {
        return product.cloud().stacks().stream()
                .filter(each -> lease.reservation().equals(each.reservation()))
                .findFirst();
    }

    private static SimulatedStack stack(UUID id) {
        return product.cloud().stacks().stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
