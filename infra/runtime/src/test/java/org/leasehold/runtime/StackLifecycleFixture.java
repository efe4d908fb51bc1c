package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.resource.simulator.stack.SimulatedStack;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.DemoProject.Lease;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** A product, a project with leases of stacks, and the parts of their templates. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StackLifecycleFixture {

    static final String KIND = "virtual:stack";
    static final String NETWORK = "8d8bbbf2-2e0c-4b1c-9f4a-7d2a5f2f2f01";

    Product product;
    DemoProject tenant;

    @BeforeAll
    void start(@TempDir Path folder) {
        product = Product.start(folder);
        tenant = new DemoProject(product);
    }

    @AfterAll
    void verifyAndStop() {
        Await.until("the processes have followed", () -> product.unfollowed() == 0);
        assertThat(product.verify()).isEmpty();
        product.close();
    }

    static Map<String, Object> part(String kind, Map<String, ?> parameters) {
        return Map.of("kind", kind, "parameters", parameters);
    }

    void enrol(String kind, String name) {
        product.as("admin").post("/api/resources", Map.of("kind", kind, "name", name)).expect(201);
    }

    String project() {
        Lease lease = tenant.leaseNow(1, "");
        String project = tenant.show(lease).expect(200).at("/lease/project_id").asString();
        tenant.delete(lease);
        return project;
    }

    static Map<String, Object> wish(Map<String, ?> resources) {
        return Map.of("resource_type", KIND, "template", template(resources));
    }

    static Map<String, Object> template(Map<String, ?> resources) {
        return Map.of("heat_template_version", "2018-08-31", "resources", resources);
    }

    static Map<String, Object> server(String flavor, String zone) {
        return Map.of(
                "type",
                "OS::Nova::Server",
                "properties",
                Map.of("flavor", flavor, "image", "cirros", "availability_zone", zone));
    }

    static Map<String, Object> volume(String type, int size) {
        return Map.of(
                "type",
                "OS::Cinder::Volume",
                "properties",
                Map.of("size", size, "volume_type", type));
    }

    static Map<String, Object> address() {
        return Map.of(
                "type",
                "OS::Neutron::FloatingIP",
                "properties",
                Map.of("floating_network", NETWORK));
    }

    Answer change(Lease lease, Map<String, ?> resources) {
        return tenant.changeReservation(lease, Map.of("template", template(resources)));
    }

    Optional<SimulatedStack> stackOf(Lease lease) {
        return product.cloud().stacks().stream()
                .filter(each -> lease.reservation().equals(each.reservation()))
                .findFirst();
    }

    SimulatedStack stack(UUID id) {
        return product.cloud().stacks().stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
