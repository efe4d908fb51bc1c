package org.leasehold.resource.openstack.floatingip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.resource.openstack.neutron.FakeNeutron.PRIVATE;
import static org.leasehold.resource.openstack.neutron.FakeNeutron.PUBLIC;
import static org.leasehold.resource.openstack.neutron.FakeNeutron.SUBNET;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.neutron.FakeNeutron;
import org.leasehold.resource.openstack.neutron.FakeNeutron.Ip;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

class OpenStackFloatingIpsTest {

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
    private static final ReservationId RESERVATION =
            new ReservationId(UUID.fromString("0cd4d562-a4bf-409f-934f-82ec33c76bd7"));
    private static final String MARK = "reservation:" + RESERVATION;

    private final FakeNeutron neutron = new FakeNeutron();
    private final ResourcePlugin plugin =
            new OpenStackFloatingIpsProvider().create(neutron.settings());
    private final Acting acting = plugin.acting();

    @AfterEach
    void close() {
        plugin.close();
        neutron.close();
    }

    @Test
    void a_start_creates_a_floating_ip_with_address_project_and_tags() {
        assertDone(acting.onStart(assignment("172.24.4.200")));

        Ip ip = neutron.ips().getFirst();
        assertThat(neutron.ips()).hasSize(1);
        assertThat(ip.address).isEqualTo("172.24.4.200");
        assertThat(ip.subnet).isEqualTo(SUBNET);
        assertThat(ip.project).isEqualTo("p1");
        assertThat(ip.tags).containsExactly("blazar", MARK);
        assertThat(acting.inspect(RESERVATION))
                .containsExactly("floatingip/" + PUBLIC + "/172.24.4.200 blazar " + MARK);
    }

    @Test
    void an_end_deletes_a_floating_ip_that_is_associated_with_a_port() {
        assertDone(acting.onStart(assignment("172.24.4.200")));
        neutron.ips().getFirst().port = "a-port";

        assertDone(acting.onEnd(assignment("172.24.4.200")));

        assertThat(neutron.ips()).isEmpty();
    }

    @Test
    void an_adjustment_adds_an_address_and_keeps_the_present_one() {
        assertDone(acting.onStart(assignment("172.24.4.200")));
        Ip first = neutron.ips().getFirst();
        first.port = "a-port";

        assertDone(acting.onAdjust(assignment("172.24.4.200", "172.24.4.201"), List.of()));

        assertThat(neutron.ips()).hasSize(2).contains(first);
        assertThat(neutron.changes()).noneMatch(change -> change.startsWith("DELETE"));
    }

    @Test
    void a_repeated_start_restores_a_removed_tag_and_keeps_custom_tags() {
        assertDone(acting.onStart(assignment("172.24.4.200")));
        Ip ip = neutron.ips().getFirst();
        ip.tags.remove("blazar");
        ip.tags.add("web");

        assertDone(acting.onStart(assignment("172.24.4.200")));

        assertThat(ip.tags).containsExactly("blazar", MARK, "web");
    }

    @Test
    void an_end_succeeds_for_a_resource_that_is_already_gone() {
        assertDone(acting.onStart(assignment("172.24.4.200")));
        assertDone(acting.onEnd(assignment("172.24.4.200", "172.24.4.201")));
        assertDone(acting.onEnd(assignment("172.24.4.200")));
        assertThat(neutron.ips()).isEmpty();
    }

    @Test
    void an_adjustment_and_an_end_delete_addresses_whose_tags_were_removed() {
        // Neutron's clock is a little late.
        neutron.setTime(START.minusSeconds(2));
        assertDone(acting.onStart(assignment("172.24.4.200", "172.24.4.201")));
        for (Ip ip : neutron.ips()) {
            ip.tags.clear();
            ip.description = "mine";
        }

        assertDone(
                acting.onAdjust(assignment("172.24.4.200"), List.of(allocation("172.24.4.201"))));
        assertThat(neutron.ips()).extracting(ip -> ip.address).containsExactly("172.24.4.200");
        assertThat(neutron.ips().getFirst().tags).containsExactly("blazar", MARK);
        neutron.ips().getFirst().tags.clear();
        assertDone(acting.onEnd(assignment("172.24.4.200")));

        assertThat(neutron.ips()).isEmpty();
    }

    @Test
    void a_floating_ip_of_another_owner_stays_unchanged() {
        Ip otherProjects = neutron.ip("172.24.4.200", "p2");
        neutron.setTime(START.minusSeconds(61));
        Ip fromBefore = neutron.ip("172.24.4.201", "p1");
        neutron.setTime(START.plusSeconds(1));
        Ip ofAnother = neutron.ip("172.24.4.202", "p1");
        ofAnother.tags.add("reservation:" + UUID.randomUUID());
        Assignment all = assignment("172.24.4.200", "172.24.4.201", "172.24.4.202");

        assertInsufficient(
                acting.onStart(assignment("172.24.4.200")),
                "The floating IP 172.24.4.200 is another one's");
        assertInsufficient(
                acting.onStart(assignment("172.24.4.201")),
                "The floating IP 172.24.4.201 is another one's");
        assertInsufficient(
                acting.onStart(assignment("172.24.4.202")),
                "The floating IP 172.24.4.202 is another one's");
        assertDone(acting.onEnd(all));

        assertThat(neutron.ips()).containsExactly(otherProjects, fromBefore, ofAnother);
        assertThat(neutron.changes()).isEmpty();
    }

    @Test
    void a_late_end_keeps_a_floating_ip_that_was_created_after_the_lease() {
        neutron.setTime(START.plusSeconds(3_600 + 61));
        Ip later = neutron.ip("172.24.4.200", "p1");

        assertDone(acting.onEnd(assignment("172.24.4.200")));

        assertThat(neutron.ips()).containsExactly(later);
    }

    @Test
    void an_end_deletes_a_floating_ip_with_an_invalid_reservation_tag() {
        assertDone(acting.onStart(assignment("172.24.4.200")));
        Ip created = neutron.ips().getFirst();
        created.tags.clear();
        created.tags.add("reservation:x");
        created.description = "reservation:";

        assertDone(acting.onEnd(assignment("172.24.4.200")));

        assertThat(neutron.ips()).isEmpty();
    }

    @Test
    void a_start_fails_when_a_port_uses_the_address() {
        neutron.port("gateway-port", "172.24.4.200");
        assertInsufficient(
                acting.onStart(assignment("172.24.4.200")),
                "The floating IP 172.24.4.200 is in use\n"
                        + "The floating IP 172.24.4.200 is the address of port gateway-port");
    }

    @Test
    void a_conflict_about_an_allocated_address_is_retryable() {
        neutron.refuseNext(409, "IpAddressAlreadyAllocated");
        assertThat(fault(acting.onStart(assignment("172.24.4.200"))).kind())
                .isEqualTo(Fault.Kind.RETRYABLE);
        assertDone(acting.onStart(assignment("172.24.4.200")));
    }

    @Test
    void an_exceeded_quota_fails_the_start_with_insufficient_resources() {
        neutron.refuseNext(409, "OverQuota");
        assertInsufficient(
                acting.onStart(assignment("172.24.4.200")),
                "The project p1 has no quota left for the floating IP 172.24.4.200");
    }

    @Test
    void an_address_outside_of_the_pools_can_be_leased() {
        assertThat(acting.discover(PUBLIC + "/172.24.4.200"))
                .isEqualTo(
                        new Discovery.Found(
                                PUBLIC + "/172.24.4.200",
                                null,
                                null,
                                Map.of(
                                        "floating_network_id",
                                        PUBLIC,
                                        "subnet_id",
                                        SUBNET,
                                        "floating_ip_address",
                                        "172.24.4.200")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"172.24.4.1", "172.24.4.10", "172.24.4.99"})
    void an_address_in_a_pool_or_of_the_gateway_cannot_be_leased(String address) {
        assertThat(acting.discover(PUBLIC + "/" + address))
                .isEqualTo(
                        new Discovery.Unfit(
                                "The floating IP %s is used in allocation_pools or gateway_ip in subnet %s ."
                                        .formatted(address, SUBNET)));
    }

    @ParameterizedTest
    @ValueSource(strings = {PRIVATE, "0"})
    void an_address_of_an_internal_or_unknown_network_cannot_be_leased(String network) {
        assertThat(acting.discover(network + "/172.24.4.200"))
                .isEqualTo(new Discovery.Unfit("Failed to find network " + network));
    }

    @Test
    void an_address_in_use_can_be_enrolled_only_if_a_lease_uses_it() {
        neutron.ip("172.24.4.200", "p2");
        neutron.port("gateway-port", "172.24.4.201");
        assertDone(acting.onStart(assignment("172.24.4.202")));

        assertThat(acting.discover(PUBLIC + "/172.24.4.200"))
                .isEqualTo(new Discovery.InUse(PUBLIC + "/172.24.4.200", List.of("project p2")));
        assertThat(acting.discover(PUBLIC + "/172.24.4.201"))
                .isEqualTo(
                        new Discovery.InUse(
                                PUBLIC + "/172.24.4.201", List.of("port gateway-port")));
        assertThat(acting.discover(PUBLIC + "/172.24.4.202")).isInstanceOf(Discovery.Found.class);
    }

    @Test
    void an_address_without_a_network_is_not_found() {
        assertThat(acting.discover("172.24.4.200")).isEqualTo(new Discovery.NotFound());
    }

    private static Assignment assignment(String... addresses) {
        List<Allocation> resources = new ArrayList<>();
        for (String address : addresses) {
            resources.add(allocation(address));
        }
        return new Assignment(
                new LeaseId(UUID.randomUUID()),
                RESERVATION,
                new ProjectId("p1"),
                new UserId("u1"),
                new LeasePeriod(START, START.plusSeconds(3_600)),
                Map.of(),
                resources);
    }

    private static Allocation allocation(String address) {
        return new Allocation(
                new ResourceId(Long.parseLong(address.substring(address.lastIndexOf('.') + 1))),
                PUBLIC + "/" + address,
                Map.of("subnet_id", SUBNET));
    }

    private static void assertDone(Result result) {
        assertThat(result).isEqualTo(new Result.Done());
    }

    private static void assertInsufficient(Result result, String message) {
        assertThat(fault(result)).isEqualTo(new Fault(Fault.Kind.INSUFFICIENT_RESOURCES, message));
    }

    private static Fault fault(Result result) {
        assertThat(result).isInstanceOf(Result.Failed.class);
        return ((Result.Failed) result).fault();
    }
}
