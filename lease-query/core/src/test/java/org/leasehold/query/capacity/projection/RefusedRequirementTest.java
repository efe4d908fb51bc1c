package org.leasehold.query.capacity.projection;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Shortage;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

class RefusedRequirementTest {

    private static final String ID = "00000000-0000-0000-0000-000000000007";
    private static final ReservationId RESERVATION = new ReservationId(new UUID(0, 7));
    private static final String V100 = "[\"==\",\"$gpu\",\"V100\"]";
    private static final String BIG = "[\">=\",\"$vcpus\",\"32\"]";

    @Test
    void both_filters_of_hosts_are_required() {
        assertThat(of(hosts("[\"=\", \"$gpu\", \"V100\"]", ""), ResourceKind.PHYSICAL_HOST))
                .isEqualTo(V100);
        assertThat(of(hosts(V100, BIG), ResourceKind.PHYSICAL_HOST))
                .isEqualTo("[\"and\",%s,%s]".formatted(V100, BIG));
        assertThat(of(hosts("", ""), ResourceKind.PHYSICAL_HOST)).isEqualTo("[]");
    }

    @Test
    void an_instance_requires_the_properties_of_hosts() {
        ReservationWish instances =
                wish(
                        ResourceKind.VIRTUAL_INSTANCE,
                        Map.of(
                                "vcpus", 2,
                                "memory_mb", 512,
                                "disk_gb", 10,
                                "amount", 3,
                                "affinity", "none",
                                "resource_properties", V100));

        assertThat(of(instances, ResourceKind.PHYSICAL_HOST)).isEqualTo(V100);
        assertThat(of(instances, ResourceKind.VOLUME)).isEqualTo(RefusedRequirement.OTHER_REQUESTS);
    }

    @Test
    void a_volume_requires_the_volume_type() {
        assertThat(
                        of(
                                wish(
                                        ResourceKind.VOLUME,
                                        Map.of("volume_type", "fast", "size", 10)),
                                ResourceKind.VOLUME))
                .isEqualTo("[\"==\",\"$volume_type\",\"fast\"]");
    }

    @Test
    void a_stack_in_several_zones_has_the_requirement_others() {
        ReservationWish one = stack(server("a", "east"), server("b", "east"));
        ReservationWish two = stack(server("a", "east"), server("b", "west"));

        assertThat(of(one, ResourceKind.SERVER))
                .isEqualTo("[\"==\",\"$availability_zone\",\"east\"]");
        assertThat(of(two, ResourceKind.SERVER)).isEqualTo(RefusedRequirement.OTHER_REQUESTS);
    }

    @Test
    void a_request_of_an_unknown_kind_has_the_requirement_others() {
        ResourceKind parking = new ResourceKind("physical:parking");

        assertThat(of(wish(parking, Map.of("covered", true)), parking))
                .isEqualTo(RefusedRequirement.OTHER_REQUESTS);
    }

    @Test
    void an_invalid_or_missing_request_has_the_requirement_others() {
        assertThat(of(hosts("[\"gpu\"]", ""), ResourceKind.PHYSICAL_HOST))
                .isEqualTo(RefusedRequirement.OTHER_REQUESTS);
        assertThat(RefusedRequirement.of(List.of(), shortage(ResourceKind.PHYSICAL_HOST)))
                .isEqualTo(RefusedRequirement.OTHER_REQUESTS);
    }

    private static ReservationWish hosts(String hypervisor, String resource) {
        return wish(
                ResourceKind.PHYSICAL_HOST,
                Map.of(
                        "min",
                        1,
                        "max",
                        2,
                        "hypervisor_properties",
                        hypervisor,
                        "resource_properties",
                        resource));
    }

    private static ReservationWish stack(Map<String, Object> one, Map<String, Object> other) {
        return wish(
                ResourceKind.STACK,
                Map.of(
                        "stack_id",
                        ID,
                        "stack",
                        Map.of(
                                "name", "a stack",
                                "parts", List.of(one, other),
                                "promised", List.of())));
    }

    private static Map<String, Object> server(String name, String zone) {
        return Map.of(
                "name",
                name,
                "type",
                "OS::Nova::Server",
                "kind",
                "virtual:server",
                "place",
                zone,
                "needs",
                Map.of("VCPU", 4));
    }

    private static ReservationWish wish(
            ResourceKind kind, Map<String, @Nullable Object> parameters) {
        return new ReservationWish(RESERVATION, kind, parameters);
    }

    private static String of(ReservationWish wish, ResourceKind kind) {
        return RefusedRequirement.of(List.of(wish), shortage(kind));
    }

    private static Shortage shortage(ResourceKind kind) {
        Instant noon = Instant.parse("2030-01-01T12:00:00Z");
        return new Shortage(
                RESERVATION, kind, 1, 0, 0, new LeasePeriod(noon, noon.plusSeconds(60)), 0, null);
    }
}
