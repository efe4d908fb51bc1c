package org.leasehold.resource.openstack.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.Survey;
import org.leasehold.resource.openstack.CloudFaultProxy;
import org.leasehold.resource.openstack.network.FakeNeutronNetworks.Thing;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

class OpenStackNetworksTest {

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
    private static final ReservationId RESERVATION =
            new ReservationId(UUID.fromString("0cd4d562-a4bf-409f-934f-82ec33c76bd7"));
    private static final String MARK = "reservation:" + RESERVATION;
    private static final String VLAN = "vlan/physnet1/1200";
    private static final String OTHER = "vlan/physnet1/1201";
    private static final String VXLAN = "vxlan/-/70000";
    private static final int MORE_REQUESTS_THAN_AN_END_HAS = 60;

    private final FakeNeutronNetworks neutron = new FakeNeutronNetworks();
    private final ResourcePlugin plugin =
            new OpenStackNetworksProvider().create(neutron.settings());
    private final Acting acting = plugin.acting();

    @AfterEach
    void close() {
        plugin.close();
        neutron.close();
    }

    @Test
    void a_start_creates_a_network_for_the_project_on_the_segment() {
        Result started = acting.onStart(assignment(VLAN));

        Thing network = createdNetwork();
        assertThat(started).isEqualTo(new Result.Done(Map.of("network_id", network.id())));
        assertThat(network.values())
                .containsEntry("name", "lab")
                .containsEntry("description", "of the lab")
                .containsEntry("project_id", "p1")
                .containsEntry("provider:network_type", "vlan")
                .containsEntry("provider:physical_network", "physnet1")
                .containsEntry("provider:segmentation_id", 1200)
                .containsEntry("tags", List.of("blazar", MARK));
        assertThat(acting.inspect(RESERVATION))
                .containsExactly("network/" + VLAN + " blazar " + MARK);
    }

    @Test
    void a_vxlan_has_no_physical_network() {
        assertDone(acting.onStart(assignment(VXLAN)));

        assertThat(createdNetwork().values())
                .containsEntry("provider:network_type", "vxlan")
                .containsEntry("provider:physical_network", null)
                .containsEntry("provider:segmentation_id", 70_000);
        assertThat(acting.inspect(RESERVATION))
                .containsExactly("network/" + VXLAN + " blazar " + MARK);
    }

    @Test
    void the_default_description_of_a_network_names_the_reservation() {
        assertDone(acting.onStart(described("")));
        assertThat(createdNetwork().text("description")).isEqualTo(MARK);
    }

    @Test
    void an_adjustment_keeps_name_description_and_tags_set_by_the_user() {
        assertDone(acting.onStart(assignment(VLAN)));
        Thing network = createdNetwork();
        network.put("name", "mine");
        network.put("description", "mine, too");
        network.put("tags", List.of("web", MARK));

        assertDone(acting.onAdjust(assignment(VLAN), List.of()));

        assertThat(network.values())
                .containsEntry("name", "mine")
                .containsEntry("description", "mine, too")
                .containsEntry("tags", List.of("blazar", MARK, "web"));
    }

    @Test
    void an_end_deletes_the_network_with_everything_attached() {
        assertDone(acting.onStart(assignment(VLAN)));
        Thing network = createdNetwork();
        neutron.subnet(network, "10.1.0.0/24");
        neutron.port(network, "network:dhcp", "an-agent");
        Thing nic = neutron.port(network, "compute:nova", "a-server");
        neutron.port(network, "", "");
        Thing ip = neutron.floatingIp(nic);
        Thing router = neutron.router("p1");
        neutron.connect(router, network);
        router.put("routes", List.of(route("10.9.0.0/24", "10.1.0.7")));

        assertDone(acting.onEnd(assignment(VLAN)));

        assertThat(neutron.networks()).isEmpty();
        assertThat(neutron.subnets()).isEmpty();
        assertThat(neutron.ports()).isEmpty();
        assertThat(neutron.routers()).isEmpty();
        assertThat(ip.values()).containsEntry("port_id", null);
        assertThat(neutron.changes().stream().skip(3))
                .startsWith("PUT networks/" + network.id())
                .endsWith("DELETE networks/" + network.id());
    }

    @Test
    void a_shared_router_loses_only_the_interface_and_routes_of_the_network() {
        assertDone(acting.onStart(assignment(VLAN)));
        Thing network = createdNetwork();
        neutron.subnet(network, "10.1.0.0/24");
        Thing elsewhere = neutron.network("vlan", "physnet1", 100, "p1");
        Thing router = neutron.router("p1");
        neutron.connect(router, network);
        Thing stays = neutron.connect(router, elsewhere);
        Map<String, String> there = route("10.8.0.0/24", "192.0.2.7");
        router.put("routes", List.of(route("10.9.0.0/24", "10.1.0.7"), there));

        assertDone(acting.onEnd(assignment(VLAN)));

        assertThat(neutron.networks()).containsExactly(elsewhere);
        assertThat(neutron.ports()).containsExactly(stays);
        assertThat(neutron.routers()).containsExactly(router);
        assertThat(router.values()).containsEntry("routes", List.of(there));
        assertThat(router.tags()).isEmpty();
    }

    @Test
    void an_end_keeps_older_routers_and_routers_of_other_projects() {
        Thing old = neutron.router("p1");
        assertDone(acting.onStart(assignment(VLAN)));
        Thing network = createdNetwork();
        Thing others = neutron.router("p2");
        neutron.connect(old, network);
        neutron.connect(others, network);

        assertDone(acting.onEnd(assignment(VLAN)));

        assertThat(neutron.networks()).isEmpty();
        assertThat(neutron.ports()).isEmpty();
        assertThat(neutron.routers()).containsExactly(old, others);
    }

    @Test
    void an_end_keeps_a_tagged_router_that_is_connected_to_another_network() {
        assertDone(acting.onStart(assignment(VLAN)));
        Thing router = neutron.router("p1");
        router.put("tags", List.of(MARK));
        neutron.connect(router, neutron.network("vlan", "physnet1", 100, "p1"));

        assertDone(acting.onEnd(assignment(VLAN)));

        assertThat(neutron.networks()).hasSize(1);
        assertThat(neutron.routers()).containsExactly(router);
    }

    @Test
    void an_end_deletes_a_tagged_router_without_a_network() {
        neutron.router("p1").put("tags", List.of(MARK));

        assertDone(acting.onEnd(assignment(VLAN)));

        assertThat(neutron.routers()).isEmpty();
    }

    @Test
    void a_router_of_two_networks_is_deleted_with_the_second_network() {
        assertDone(acting.onStart(assignment(VLAN, OTHER)));
        Thing router = neutron.router("p1");
        neutron.networks().forEach(network -> neutron.connect(router, network));

        assertDone(acting.onAdjust(assignment(VLAN), List.of(allocation(OTHER))));
        assertThat(neutron.routers()).containsExactly(router);
        assertThat(neutron.ports()).hasSize(1);
        assertDone(acting.onEnd(assignment(VLAN)));

        assertThat(neutron.routers()).isEmpty();
        assertThat(neutron.networks()).isEmpty();
    }

    @Test
    void a_repeated_end_leaves_nothing_after_a_failure_at_any_request() throws IOException {
        try (CloudFaultProxy proxy = new CloudFaultProxy();
                ResourcePlugin behind = new OpenStackNetworksProvider().create(through(proxy))) {
            for (boolean effect : new boolean[] {false, true}) {
                int cut = 0;
                Result result = new Result.Failed(new Fault(Fault.Kind.RETRYABLE, "not yet"));
                while (result instanceof Result.Failed && cut < MORE_REQUESTS_THAN_AN_END_HAS) {
                    assertDone(acting.onStart(assignment(VLAN)));
                    neutron.subnet(createdNetwork(), "10.1.0.0/24");
                    neutron.floatingIp(neutron.port(createdNetwork(), "compute:nova", "a-server"));
                    Thing router = neutron.router("p1");
                    neutron.connect(router, createdNetwork());
                    router.put("routes", List.of(route("10.9.0.0/24", "10.1.0.7")));
                    if (effect) {
                        proxy.failAfterEffect(cut);
                    } else {
                        proxy.failBeforeEffect(cut);
                    }
                    result = behind.acting().onEnd(assignment(VLAN));
                    proxy.heal();
                    assertDone(behind.acting().onEnd(assignment(VLAN)));
                    assertThat(neutron.networks()).isEmpty();
                    assertThat(neutron.ports()).isEmpty();
                    assertThat(neutron.routers()).as("cut off at %d", cut).isEmpty();
                    cut++;
                }
                assertThat(cut).isBetween(7, MORE_REQUESTS_THAN_AN_END_HAS - 1);
            }
        }
    }

    /** Starts with an unfinished end whose network an operator has deleted. */
    @Test
    void a_survey_finds_a_tagged_router_without_a_network() {
        assertDone(acting.onStart(assignment(VLAN)));
        neutron.network("vlan", "physnet1", 100, "p2");
        neutron.router("p2").put("tags", List.of("reservation:x"));
        ReservationId over = new ReservationId(UUID.randomUUID());
        Thing router = neutron.router("p1");
        router.put("tags", List.of("reservation:" + over));

        assertThat(acting.survey())
                .isEqualTo(
                        new Survey.Seen(
                                Map.of(
                                        RESERVATION,
                                        acting.inspect(RESERVATION),
                                        over,
                                        List.of(
                                                "router/%s reservation:%s"
                                                        .formatted(router.id(), over)))));
    }

    @Test
    void an_end_sends_one_change_per_port_and_two_for_the_network() {
        assertDone(acting.onStart(assignment(VLAN)));
        for (int number = 0; number < 20; number++) {
            neutron.port(createdNetwork(), "compute:nova", "server-" + number);
        }
        int before = neutron.changes().size();

        assertDone(acting.onEnd(assignment(VLAN)));

        assertThat(neutron.changes()).hasSize(before + 1 + 20 + 1);
    }

    @Test
    void an_end_succeeds_for_a_resource_that_is_already_gone() {
        assertDone(acting.onStart(assignment(VLAN)));
        assertDone(acting.onEnd(assignment(VLAN, OTHER)));
        assertDone(acting.onEnd(assignment(VLAN)));
        assertThat(neutron.networks()).isEmpty();
    }

    @Test
    void an_end_deletes_a_network_whose_tags_were_removed() {
        // Neutron's clock is a little late.
        neutron.setTime(START.minusSeconds(2));
        assertDone(acting.onStart(assignment(VLAN)));
        createdNetwork().put("tags", List.of());
        createdNetwork().put("description", "mine");

        assertDone(acting.onEnd(assignment(VLAN)));

        assertThat(neutron.networks()).isEmpty();
    }

    @Test
    void a_resource_of_another_owner_stays_unchanged() {
        Thing otherProjects = neutron.network("vlan", "physnet1", 1200, "p2");
        neutron.setTime(START.minusSeconds(61));
        Thing fromBefore = neutron.network("vlan", "physnet1", 1201, "p1");
        neutron.setTime(START.plusSeconds(1));
        Thing ofAnother = neutron.network("vlan", "physnet1", 1202, "p1");
        ofAnother.put("tags", List.of("reservation:" + UUID.randomUUID()));

        for (String segment : List.of(VLAN, OTHER, "vlan/physnet1/1202")) {
            assertInsufficient(
                    acting.onStart(assignment(segment)),
                    "The segment " + segment + " is another one's");
        }
        assertDone(acting.onEnd(assignment(VLAN, OTHER, "vlan/physnet1/1202")));

        assertThat(neutron.networks()).containsExactly(otherProjects, fromBefore, ofAnother);
        assertThat(neutron.changes()).isEmpty();
    }

    @Test
    void an_end_deletes_a_network_with_an_invalid_reservation_tag() {
        assertDone(acting.onStart(assignment(VLAN)));
        Thing createdNetwork = neutron.networks().getFirst();
        createdNetwork.put("tags", List.of("reservation:x"));
        createdNetwork.put("description", "reservation:");

        assertDone(acting.onEnd(assignment(VLAN)));

        assertThat(neutron.networks()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "network:router_interface, 7f9d1f7a-3a5f-4b32-8f2a-8a2ac0c1f2a3",
        "network:router_interface, ''",
        "network:router_centralized_snat, 7f9d1f7a-3a5f-4b32-8f2a-8a2ac0c1f2a3",
        "network:anything, x"
    })
    void a_port_with_a_forged_device_owner_does_not_block_the_end(String owner, String device) {
        assertDone(acting.onStart(assignment(VLAN)));
        neutron.port(neutron.networks().getFirst(), owner, device);

        assertDone(acting.onEnd(assignment(VLAN)));

        assertThat(neutron.networks()).isEmpty();
        assertThat(neutron.ports()).isEmpty();
    }

    @Test
    void a_start_fails_on_a_network_without_a_creation_time() {
        neutron.network("vlan", "physnet1", 1200, "p1").values().remove("created_at");

        assertInsufficient(
                acting.onStart(assignment(VLAN)), "The segment " + VLAN + " is another one's");
    }

    @Test
    void a_conflict_about_a_used_segment_is_retryable() {
        neutron.refuseNext(409, "VlanIdInUse");
        assertThat(fault(acting.onStart(assignment(VLAN))))
                .isEqualTo(
                        new Fault(
                                Fault.Kind.RETRYABLE, "Neutron does not give the segment " + VLAN));
        assertDone(acting.onStart(assignment(VLAN)));
    }

    @Test
    void an_exceeded_quota_fails_the_start_with_insufficient_resources() {
        neutron.refuseNext(409, "OverQuota");
        assertInsufficient(
                acting.onStart(assignment(VLAN)),
                "The project p1 has no quota left for the network on " + VLAN);
    }

    @Test
    void an_unknown_physical_network_is_a_permanent_fault() {
        assertThat(fault(acting.onStart(assignment("vlan/nowhere/7"))).kind())
                .isEqualTo(Fault.Kind.PERMANENT);
    }

    @Test
    void a_segment_without_a_network_can_be_leased() {
        assertThat(acting.discover(VLAN))
                .isEqualTo(
                        new Discovery.Found(
                                VLAN,
                                null,
                                null,
                                Map.of(
                                        "network_type",
                                        "vlan",
                                        "physical_network",
                                        "physnet1",
                                        "segment_id",
                                        1200)));
    }

    @Test
    void a_segment_in_use_can_be_enrolled_only_if_a_lease_uses_it() {
        Thing theirs = neutron.network("vlan", "physnet1", 1200, "p2");
        assertDone(acting.onStart(assignment(OTHER)));

        assertThat(acting.discover(VLAN))
                .isEqualTo(
                        new Discovery.InUse(
                                VLAN,
                                List.of(
                                        "the network somebody's (%s) of project p2"
                                                .formatted(theirs.id()))));
        assertThat(acting.discover(OTHER)).isInstanceOf(Discovery.Found.class);
    }

    @Test
    void an_invalid_segment_name_is_unfit_or_not_found() {
        assertThat(acting.discover("vlan/physnet1/4095")).isInstanceOf(Discovery.Unfit.class);
        assertThat(acting.discover("physnet1")).isEqualTo(new Discovery.NotFound());
    }

    private Map<String, String> through(CloudFaultProxy proxy) throws IOException {
        Map<String, String> settings = new HashMap<>(neutron.settings());
        String url = settings.getOrDefault("auth-url", "");
        settings.put("auth-url", proxy.before(URI.create(url)).toString());
        return settings;
    }

    private Thing createdNetwork() {
        assertThat(neutron.networks()).hasSize(1);
        return neutron.networks().getFirst();
    }

    private static Map<String, String> route(String destination, String nexthop) {
        return Map.of("destination", destination, "nexthop", nexthop);
    }

    private static Assignment assignment(String... segments) {
        return assignment("of the lab", segments);
    }

    private static Assignment described(String description) {
        return assignment(description, new String[] {VLAN});
    }

    private static Assignment assignment(String description, String[] segments) {
        List<Allocation> resources = new ArrayList<>();
        for (String segment : segments) {
            resources.add(allocation(segment));
        }
        Map<String, @Nullable Object> parameters =
                Map.of("network_name", "lab", "network_description", description);
        return new Assignment(
                new LeaseId(UUID.randomUUID()),
                RESERVATION,
                new ProjectId("p1"),
                new UserId("u1"),
                new LeasePeriod(START, START.plusSeconds(3_600)),
                parameters,
                resources);
    }

    private static Allocation allocation(String segment) {
        int id = Integer.parseInt(segment.substring(segment.lastIndexOf('/') + 1));
        return new Allocation(new ResourceId(id), segment, Map.of());
    }

    private static void assertDone(Result result) {
        assertThat(result).isInstanceOf(Result.Done.class);
    }

    private static void assertInsufficient(Result result, String message) {
        assertThat(fault(result)).isEqualTo(new Fault(Fault.Kind.INSUFFICIENT_RESOURCES, message));
    }

    private static Fault fault(Result result) {
        assertThat(result).isInstanceOf(Result.Failed.class);
        return ((Result.Failed) result).fault();
    }
}
