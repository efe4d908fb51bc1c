package org.leasehold.resource.openstack.stack;

import org.leasehold.resource.openstack.FakeOpenStack.Asked;
import org.leasehold.resource.openstack.FakeOpenStack.Said;

import java.util.List;
import java.util.Map;

/** Fakes of the services that the content of stacks comes from: Nova, Cinder and Neutron. */
final class FakeStackServices {

    private FakeStackServices() {}

    static Said nova(Asked request) {
        return switch (request.parts().get(1)) {
            case "flavors" ->
                    request.parts().getLast().equals("detail")
                            ? Said.json(200, Map.of("flavors", List.of(flavor())))
                            : request.parts().getLast().equals("1")
                                    ? Said.json(200, Map.of("flavor", flavor()))
                                    : FakeHeat.refused(404, "Flavor could not be found.");
            case "servers" ->
                    Said.json(
                            200,
                            Map.of(
                                    "server",
                                    Map.of(
                                            "id",
                                            request.parts().getLast(),
                                            "status",
                                            "ACTIVE",
                                            "tenant_id",
                                            "p1",
                                            "OS-EXT-AZ:availability_zone",
                                            "east",
                                            "image",
                                            Map.of("id", "cirros"),
                                            "flavor",
                                            Map.of("vcpus", 1, "ram", 64, "disk", 2))));
            default -> FakeHeat.refused(404, "Not found");
        };
    }

    private static Map<String, Object> flavor() {
        return Map.of("id", "1", "name", "m1.nano", "vcpus", 1, "ram", 64, "disk", 2);
    }

    static Said cinder(Asked request) {
        return switch (request.parts().get(1)) {
            case "types" ->
                    request.parts().getLast().equals("default")
                            ? Said.json(200, Map.of("volume_type", Map.of("name", "standard")))
                            : Said.json(
                                    200,
                                    Map.of(
                                            "volume_types",
                                            List.of(Map.of("id", "t1", "name", "gold"))));
            default ->
                    Said.json(
                            200,
                            Map.of(
                                    "volume",
                                    Map.of(
                                            "id",
                                            request.parts().getLast(),
                                            "volume_type",
                                            "gold",
                                            "size",
                                            3,
                                            "status",
                                            "available")));
        };
    }

    static Said neutron(Asked request) {
        Map<String, Object> network = Map.of("id", FakeHeat.NETWORK, "router:external", true);
        List<String> parts = request.parts();
        return switch (parts.get(2)) {
            case "networks" -> {
                if (parts.size() > 3) {
                    yield parts.get(3).startsWith("0000")
                            ? FakeHeat.refused(404, "no such network")
                            : Said.json(200, Map.of("network", network));
                }
                Map<String, String> query = request.query();
                boolean found =
                        FakeHeat.NETWORK.equals(query.get("id"))
                                || "public".equals(query.get("name"));
                yield Said.json(200, Map.of("networks", found ? List.of(network) : List.of()));
            }
            case "network-ip-availabilities" ->
                    Said.json(
                            200,
                            Map.of(
                                    "network_ip_availability",
                                    Map.of("total_ips", 100, "used_ips", 3)));
            case "floatingips" ->
                    Said.json(
                            200,
                            Map.of("floatingip", Map.of("floating_network_id", FakeHeat.NETWORK)));
            default -> Said.json(200, Map.of("subnets", List.of()));
        };
    }
}
