package org.leasehold.resource.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.resource.instance.Flavor;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.resource.stack.Stacks.Search;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

class HeatResourceTypesTest {

    private final List<String> asked = new ArrayList<>();

    private final HeatResourceTypes types =
            new HeatResourceTypes(
                    new HeatResourceTypes.Cloud() {
                        @Override
                        public Optional<Flavor> flavor(String nameOrId) {
                            asked.add(nameOrId);
                            return nameOrId.equals("small")
                                    ? Optional.of(
                                            new Flavor(
                                                    "1", "small", 2, 4096, 20, 5, 1025, Map.of()))
                                    : Optional.empty();
                        }

                        @Override
                        public Optional<String> volumeType(String nameOrId) {
                            return switch (nameOrId) {
                                case "" -> Optional.of("standard");
                                case "gold" -> Optional.of("gold");
                                default -> Optional.empty();
                            };
                        }

                        @Override
                        public Optional<String> network(String nameOrId) {
                            return nameOrId.equals("public")
                                    ? Optional.of("net-1")
                                    : Optional.empty();
                        }
                    });

    private Search read(String type, Map<String, @Nullable Object> properties) {
        return types.readAll(List.of(new PreviewedResource("it", type, properties, Map.of())));
    }

    private StackComponent part(String type, Map<String, @Nullable Object> properties) {
        return ((Search.Found) read(type, properties)).parts().getFirst();
    }

    @Test
    void a_server_takes_the_capacity_of_the_flavor_in_the_given_zone() {
        assertThat(
                        part(
                                "OS::Nova::Server",
                                Map.of(
                                        "flavor",
                                        "small",
                                        "image",
                                        "cirros",
                                        "availability_zone",
                                        "east:host-1")))
                .isEqualTo(
                        StackComponent.server(
                                "it",
                                "OS::Nova::Server",
                                new ComputeCapacity("east", 2, 4096, 27)));
        assertThat(part("OS::Nova::Server", Map.of("flavor", "small")))
                .isEqualTo(
                        StackComponent.server(
                                "it", "OS::Nova::Server", new ComputeCapacity("", 2, 4096, 7)));
    }

    @Test
    void a_server_takes_capacity_despite_a_reservation_hint() {
        assertThat(
                        part(
                                "OS::Nova::Server",
                                Map.of(
                                        "flavor",
                                        "small",
                                        "scheduler_hints",
                                        Map.of("reservation", "x"))))
                .isEqualTo(
                        StackComponent.server(
                                "it", "OS::Nova::Server", new ComputeCapacity("", 2, 4096, 7)));
    }

    @Test
    void a_volume_takes_gib_of_the_given_or_the_default_type() {
        assertThat(part("OS::Cinder::Volume", Map.of("size", 3, "volume_type", "gold")))
                .isEqualTo(StackComponent.volume("it", "OS::Cinder::Volume", "gold", 3));
        assertThat(part("OS::Cinder::Volume", Map.of("size", "3")))
                .isEqualTo(StackComponent.volume("it", "OS::Cinder::Volume", "standard", 3));
    }

    @Test
    void a_floating_ip_takes_an_address_of_the_given_network() {
        assertThat(part("OS::Neutron::FloatingIP", Map.of("floating_network", "public")))
                .isEqualTo(StackComponent.floatingIp("it", "OS::Neutron::FloatingIP", "net-1"));
        assertThat(part("OS::Nova::FloatingIP", Map.of("pool", "public")))
                .isEqualTo(StackComponent.floatingIp("it", "OS::Nova::FloatingIP", "net-1"));
    }

    @Test
    void gateways_and_ports_take_an_address_where_there_is_a_pool() {
        assertThat(
                        part(
                                "OS::Neutron::Router",
                                Map.of("external_gateway_info", Map.of("network", "public"))))
                .isEqualTo(StackComponent.floatingIp("it", "OS::Neutron::Router", "net-1"));
        assertThat(part("OS::Neutron::RouterGateway", Map.of("network", "public")))
                .isEqualTo(StackComponent.floatingIp("it", "OS::Neutron::RouterGateway", "net-1"));
        assertThat(part("OS::Neutron::Port", Map.of("network", "public")))
                .isEqualTo(StackComponent.floatingIp("it", "OS::Neutron::Port", "net-1"));
        assertThat(read("OS::Neutron::Port", Map.of("network", "inner")))
                .isEqualTo(new Search.Found("", List.of(), Map.of()));
        assertThat(read("OS::Neutron::Router", Map.of()))
                .isEqualTo(new Search.Found("", List.of(), Map.of()));
    }

    @Test
    void a_flavor_of_many_servers_is_looked_up_once() {
        List<PreviewedResource> many =
                IntStream.range(0, 50)
                        .mapToObj(
                                i ->
                                        new PreviewedResource(
                                                "web" + i,
                                                "OS::Nova::Server",
                                                Map.of("flavor", "small"),
                                                Map.of()))
                        .toList();

        assertThat(((Search.Found) types.readAll(many)).parts()).hasSize(50);
        assertThat(asked).containsExactly("small");
    }

    @Test
    void a_resource_type_without_needs_passes() {
        for (String type :
                List.of(
                        "OS::Neutron::Net",
                        "OS::Neutron::RouterInterface",
                        "OS::Nova::KeyPair",
                        "OS::Heat::RandomString",
                        "OS::Heat::WaitCondition",
                        "OS::Heat::SoftwareConfig")) {
            assertThat(read(type, Map.of())).isEqualTo(new Search.Found("", List.of(), Map.of()));
        }
    }

    @Test
    void an_unsupported_resource_type_is_refused_by_name() {
        assertThat(read("OS::Magnum::Cluster", Map.of()))
                .isEqualTo(
                        new Search.Refused(
                                "The resource it (OS::Magnum::Cluster) cannot be reserved: what it"
                                        + " takes is not known"));
        assertThat(read("OS::Heat::ScalingPolicy", Map.of())).isInstanceOf(Search.Refused.class);
        assertThat(read("OS::Blazar::Lease", Map.of())).isInstanceOf(Search.Refused.class);
    }

    @Test
    void a_resource_with_unknown_needs_is_refused_with_the_reason() {
        assertRefused("OS::Nova::Server", Map.of("flavor", "huge"), "there is no flavor huge");
        assertRefused("OS::Nova::Server", Map.of(), "its flavor is not known before it is made");
        assertRefused(
                "OS::Cinder::Volume",
                Map.of("size", 1, "volume_type", "tin"),
                "there is no volume type tin");
        assertRefused("OS::Cinder::Volume", Map.of("snapshot_id", "s"), "it says no size");
        assertRefused(
                "OS::Neutron::FloatingIP",
                Map.of("floating_network", "inner"),
                "there is no network inner");
        for (Map<String, Object> device :
                List.<Map<String, Object>>of(
                        Map.of("image", "cirros", "volume_size", 10),
                        Map.of("snapshot_id", "s"),
                        Map.of("volume_size", 1))) {
            assertRefused(
                    "OS::Nova::Server",
                    Map.of("flavor", "small", "block_device_mapping_v2", List.of(device)),
                    "it makes volumes of its own; make them as OS::Cinder::Volume");
        }
        assertThat(
                        read(
                                "OS::Nova::Server",
                                Map.of(
                                        "flavor",
                                        "small",
                                        "block_device_mapping_v2",
                                        List.of(Map.of("volume_id", "v", "boot_index", 0)))))
                .isInstanceOf(Search.Found.class);
    }

    private void assertRefused(
            String type, Map<String, @Nullable Object> properties, String reason) {
        assertThat(read(type, properties))
                .isEqualTo(
                        new Search.Refused(
                                "The resource it (%s) cannot be reserved: %s"
                                        .formatted(type, reason)));
    }

    @Test
    void the_end_actions_of_resources_are_listed_by_name() {
        PreviewedResource kept =
                new PreviewedResource(
                        "net",
                        "OS::Neutron::Net",
                        Map.of(),
                        Map.of("leasehold", Map.of("on_end", "keep")));

        assertThat(types.readAll(List.of(kept)))
                .isEqualTo(new Search.Found("", List.of(), Map.of("net", "keep")));
    }
}
